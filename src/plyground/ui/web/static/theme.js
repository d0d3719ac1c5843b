// Apply the stored colours and board before the page is painted.
try {
  for (const name of ["theme", "board"]) {
    const value = JSON.parse(localStorage.getItem(`plyground.${name}`) ?? "null");
    if (value && value !== "auto") document.documentElement.dataset[name] = value;
  }
} catch {
  // Without local storage the page follows the system's theme.
}
