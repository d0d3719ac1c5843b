// Set the stored colour theme before the page is painted.
try {
  const theme = JSON.parse(localStorage.getItem("plyground.theme") ?? "null");
  if (theme && theme !== "auto") document.documentElement.dataset.theme = theme;
} catch {
  // Without local storage the page follows the system's theme.
}
