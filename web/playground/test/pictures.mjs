// Takes the pictures of the page for docs/pictures: `npm run pictures`.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { choose, drawn, start, tab } from "./browser.mjs";

const FOLDER = fileURLToPath(new URL("../../../docs/pictures/playground/", import.meta.url));
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

const browser = await start();

async function take(name, options, prepare) {
  const page = await browser.open(options);
  await choose(page, "marble");
  await drawn(page);
  await prepare(page);
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  await page.context().close();
  return path;
}

const desktop = async (page) => {
  await tab(page, "files", "fragment.agal");
  await page.click('#editor .cm-line:has-text("tex ")');
  await page.mouse.move(0, 0);
};
const paths = [];
for (const colorScheme of ["light", "dark"]) {
  paths.push(await take(`desktop-${colorScheme}`, { ...DESKTOP, colorScheme }, desktop));
  paths.push(await take(`phone-${colorScheme}`, { ...PHONE, colorScheme }, (page) => tab(page, "panes", "Picture")));
}
await browser.stop();
