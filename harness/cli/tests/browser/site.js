// Reads the site as spec authors do: `node site.js CHROMIUM SITE IMAGES`, the last the folder for pictures.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { accessible, look, NARROW, WIDE } from "./browser.js";

const [chromium, site, images] = process.argv.slice(2);
const at = (path) => `${pathToFileURL(site)}/${path}`;
const broken = "restore.search-evidence";

await look(chromium, async (page) => {
  await page.setViewportSize(WIDE);
  await page.goto(at("index.html"));
  await page.getByRole("link", { name: broken, exact: true }).click();
  await page.waitForURL(at(`clauses/${broken}.html`));
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), broken);
  await page.screenshot({ path: `${images}/site.png` });

  await page.getByRole("link", { name: /^restore\.feature:/ }).first().click();
  await page.waitForURL(/features\/restore\.html#line-\d+$/);
  const line = new URL(page.url()).hash;
  assert(await page.locator(line).isVisible(), "the scenario is there");

  await page.goBack();
  await page.getByRole("link", { name: "no-restore-on-prompt" }).click();
  await page.waitForURL(at("faults.html#fault-no-restore-on-prompt"));
  await page.goBack();
  await page.locator("a[href*='#counterexample-']").first().click();
  await page.locator(".counterexample[open]").waitFor({ state: "visible" });

  const pages = ["index", "features", "faults", "revisions", "runtimes", `clauses/${broken}`, "features/catalog"];
  for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const path of pages) {
        await page.goto(at(`${path}.html`));
        const where = `${path}, ${size}, ${colorScheme}`;
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(over <= 0, `${where}: something hangs over the edge by ${over}`);
        await accessible(page, where);
      }
    }
  }
});
