export const part = () => ({
  show: (seen) => { document.querySelector("h1").textContent = seen.state.pile; },
  told: () => "",
});
