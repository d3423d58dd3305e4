// Reads the HTML report as people do: `node report.js CHROMIUM REPORT LARGE IMAGES`. LARGE is a report of
// thousands of rows; IMAGES is the folder for pictures.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { accessible, look, NARROW, WIDE } from "./browser.js";

const [chromium, report, large, images] = process.argv.slice(2);
const at = (path, fragment = "") => `${pathToFileURL(path)}${fragment}`;
const shown = "[data-row]:not([hidden])";
const rows = (page) => page.locator(shown).evaluateAll((all) => all.map((one) => ({ ...one.dataset })));
const picture = (page, name) => page.screenshot({ path: `${images}/${name}.png` });

const filters = async (page) => {
  const all = await rows(page);
  await page.keyboard.press("/");
  await page.keyboard.type("use-evidence");
  const named = await rows(page);
  assert(named.length > 0 && named.length < all.length, "a text leaves some rows");
  await page.getByRole("checkbox", { name: "fail" }).check();
  await page.getByRole("combobox", { name: "Level" }).selectOption("must");
  await page.getByRole("combobox", { name: "Family" }).selectOption("restore");
  const failed = await rows(page);
  assert(failed.length > 0 && failed.length < named.length, "so does a verdict");
  for (const { verdict, level, family } of failed) {
    assert.equal(verdict, "fail");
    assert(level.split(" ").includes("must") && family.split(" ").includes("restore"));
  }
  assert.equal(await page.getByRole("status").textContent(), `${failed.length} of ${all.length} rows`);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.locator("[data-row][hidden]").first().waitFor({ state: "detached" });
  assert.equal((await rows(page)).length, all.length, "and all come back");
};

const links = async (page) => {
  const link = page.locator("#causes a[href^='#counterexample-']").first();
  const target = await link.getAttribute("href");
  const body = page.locator(`[id="${target.slice(1)}"]`);
  assert(!(await body.isVisible()), "a row is closed until it is asked for");
  await link.focus();
  await page.keyboard.press("Enter");
  await body.waitFor({ state: "visible" });
  assert((await body.locator(".timeline .missing").count()) > 0, "what is missing is marked");
  assert(await body.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }), "it is in view");
  await body.locator("a[href^='#clause-']").first().click();
  await page.waitForURL(/#clause-/);
  await page.goBack();
  await page.waitForURL((url) => url.hash === target);
};

const addresses = async (page) => {
  const ids = await page.locator("[data-row] > .body").evaluateAll((all) => all.map((one) => one.id));
  for (const kind of ["clause", "scenario", "property", "counterexample"]) {
    const id = ids.find((one) => one.startsWith(`${kind}-`));
    await page.goto("about:blank");
    await page.goto(at(report, `#${id}`));
    await page.locator(`[id="${id}"]`).waitFor({ state: "visible" });
  }
};

const colours = async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  assert.notEqual(light, dark, "the page follows the colours of the system");
  await page.getByRole("radio", { name: "Light" }).check();
  assert.equal(await paper(), light, "and what the reader chooses instead");
  await page.reload();
  assert.equal(await paper(), light, "which stays");
  await page.getByRole("radio", { name: "Auto" }).check();
};

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

const printed = async (page) => {
  await page.emulateMedia({ media: "print" });
  assert(!(await page.locator("#filters").isVisible()), "filters are of no use on paper");
  const closed = page.locator(".clause:not([open]) > .body").first();
  assert(await closed.isVisible(), "what is closed on the screen is read on paper");
  assert((await page.pdf()).length > 0);
  await page.emulateMedia({ media: "screen" });
};

await look(chromium, async (page) => {
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(at(report));
  await picture(page, "report");
  await filters(page);
  await links(page);
  await addresses(page);
  await colours(page);
  await printed(page);
  const found = await page.locator(".counterexample > .body").first().getAttribute("id");
  for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.goto("about:blank");
      await page.goto(at(report, `#${found}`));
      assert(await fits(page), `${size}: nothing hangs over the edge`);
      await accessible(page, `${size}, ${colorScheme}`);
      if (size === "wide" && colorScheme === "dark") await picture(page, "report-dark");
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(at(report, "#clauses"));
  await picture(page, "report-narrow");
});

await look(chromium, async (page) => {
  await page.setViewportSize(WIDE);
  await page.goto(at(large));
  const all = (await rows(page)).length;
  const took = await page.evaluate(async () => {
    const text = document.querySelector("#filters [type=search]");
    const times = [];
    for (const words of ["evidence", "evidence x-4", ""]) {
      const begun = performance.now();
      text.value = words;
      text.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      times.push(Math.round(performance.now() - begun));
    }
    return times;
  });
  assert(all >= 5000 && (await rows(page)).length === all);
  await page.locator("#filters [type=search]").fill("use-evidence");
  const some = (await rows(page)).length;
  assert(some > 0 && some < all);
  console.log(`${all} rows: filtered in ${took.join(", ")} ms`);
});
