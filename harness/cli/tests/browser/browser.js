// A browser to look at pages with: it says what a page asks for and complains of, and what axe does.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

// A page that may ask no host for anything, and on whose console nothing may stand.
export async function look(path, then) {
  const browser = await chromium.launch({
    executablePath: path,
    // Chromium refuses to build its sandbox as root.
    chromiumSandbox: process.getuid() !== 0,
    args: ["--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  try {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    const asked = [];
    const complaints = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await then(page);
    assert.deepEqual(asked.filter((url) => !/^(file|data):/.test(url)), [], "asked of a host");
    assert.deepEqual(complaints, [], "on the console");
  } finally {
    await browser.close();
  }
}

// What keeps somebody from reading the page: none of it may be serious.
export async function accessible(page, where) {
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: axe });
  // It would fetch style sheets a second time, which no page may from a file.
  const options = { preload: false, resultTypes: ["violations"] };
  const { violations } = await page.evaluate((options) => window.axe.run(options), options);
  const serious = violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  assert.deepEqual(serious, [], where);
}

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };
