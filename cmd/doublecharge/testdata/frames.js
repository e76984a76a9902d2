// How long each frame takes, from the change until it is drawn: playing row by row, scrolling, and jumping about, in
// window.times, by what was done.
(async () => {
  const scroll = document.querySelector('.scroll');
  const slider = document.querySelector('.transport input');
  const go = (row) => {
    slider.value = String(row);
    slider.dispatchEvent(new Event('input'));
  };
  const doing = {
    play: (n) => go(300 + n),
    scroll: (n) => { scroll.scrollTop = n * 84; },
    jump: (n) => go((n * 211) % Number(slider.max)),
  };
  const times = {};
  for (const [what, act] of Object.entries(doing)) {
    times[what] = [];
    for (let n = 0; n < 60; n++) {
      times[what].push(await new Promise((drawn) => {
        requestAnimationFrame((begun) => {
          act(n);
          requestAnimationFrame(() => drawn(performance.now() - begun));
        });
      }));
    }
  }
  window.times = times;
})()
