// Dark and light themes: the system's preference, until the user chooses.

import { byId } from "./dom.ts";

const KEY = "agalc-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** The stored theme. Pages that may not store anything still have a theme. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function setUpTheme(): void {
  const button = byId("theme");
  let theme = stored();
  const show = () => {
    const isDark = theme ? theme === "dark" : system.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    button.textContent = isDark ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark ? "Light colours" : "Dark colours");
  };
  button.addEventListener("click", () => {
    theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice cannot be stored, so it lasts only until the page is closed.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
}
