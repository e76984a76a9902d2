// What axe-core finds in the whole page, as sentences, in window.found.
window.axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => {
  window.found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ html, failureSummary }) => (
    `${html.slice(0, 160)} (${failureSummary.replaceAll('\n', ' ').slice(0, 220)})`)).join(' | ')}`);
})
