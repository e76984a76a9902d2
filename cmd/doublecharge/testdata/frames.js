// Moves the playhead and scrolls, in turn, and keeps how long each took until it was drawn, in window.times.
(() => {
  const scroll = document.querySelector('.scroll');
  const slider = document.querySelector('.transport input');
  window.times = [];
  const step = (n) => {
    const begun = performance.now();
    if (n % 2) scroll.scrollTop = (n * 97) % scroll.scrollHeight;
    else {
      slider.value = String((n * 5) % Number(slider.max));
      slider.dispatchEvent(new Event('input'));
    }
    requestAnimationFrame(() => setTimeout(() => {
      document.body.getBoundingClientRect();
      window.times.push(performance.now() - begun);
      if (n < 120) step(n + 1);
    }));
  };
  step(1);
})()
