/** Editing code in a real browser: whatever is selected and however it is replaced, the page has nothing to complain of. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { TestPage } from "./browser.ts";
import { dev, hookTest } from "./hook-pages.ts";

/** Words of several looks, and lines that are indented. */
const CODE = `function transform(evt) {
  // by the city
  const name = "shop/" + evt.city;
  return { name, data: 17 };
}
`;
const LINES = CODE.split("\n");

const code = (page: TestPage) => page.getByRole("textbox", { name: "Transform code" });
const word = (page: TestPage, text: string) => code(page).locator("span").getByText(text, { exact: true });

/** Drag what is selected to just within the left end of something. */
async function drag(page: TestPage, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  // A bit first, as a hand does: far at once would select.
  await page.mouse.move(start.x + start.width / 2 + 5, start.y + start.height / 2);
  await page.mouse.move(end.x + 1, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

interface Editing {
  page: TestPage;
  /** The text is this, without the empty line at its end; waits for it. */
  reads(...lines: string[]): Promise<void>;
  /** From the start of a line on, so many lines. */
  selectLines(first: string, count: number): Promise<void>;
}

/** Open an editor with coloured code in it. */
function editorTest(name: string, run: (editing: Editing) => Promise<void>): void {
  hookTest(name, async (open) => {
    const hook = await dev.create({ name, transform: CODE });
    const page = await open(`/webhooks/${hook.id}`);
    await word(page, "function").waitFor();
    await run({
      page,
      reads: (...lines) =>
        dev.service.eventually(async () => {
          const text = await code(page).locator(".cm-line").allTextContents();
          assert.equal(text.join("\n").trimEnd(), lines.join("\n").trimEnd());
        }),
      async selectLines(first, count) {
        await word(page, first).first().click();
        await page.keyboard.press("Home");
        for (let n = 1; n < count; n++) await page.keyboard.press("Shift+ArrowDown");
        await page.keyboard.press("Shift+End");
      },
    });
  });
}

editorTest("a coloured word is typed over", async ({ page, reads }) => {
  await word(page, "const").dblclick();
  await page.keyboard.type("let");
  await word(page, '"shop/"').click({ clickCount: 1 });
  await page.keyboard.press("Control+ArrowLeft");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await page.keyboard.type("store");
  await reads(LINES[0]!, LINES[1]!, '  let name = "store/" + evt.city;', ...LINES.slice(3));
});

editorTest(
  "lines are typed over, which is undone in one and done again",
  async ({ page, reads, selectLines }) => {
    await selectLines("const", 2);
    await page.keyboard.type("x y");
    await reads(...LINES.slice(0, 2), "  x y", "}");
    await page.keyboard.press("Control+z");
    await reads(...LINES);
    await page.keyboard.press("Control+Shift+z");
    await reads(...LINES.slice(0, 2), "  x y", "}");
  },
);

editorTest("everything is typed over at once, and the editor filled at a stroke", async ({ page, reads }) => {
  await code(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("let a = 1");
  await reads("let a = 1");
  await code(page).fill("const b = 2;\nlet c;");
  await reads("const b = 2;", "let c;");
  await code(page).fill("while (b) c;");
  await reads("while (b) c;");
  await code(page).fill("17");
  await code(page).fill("const d = 18;");
  await reads("const d = 18;");
});

editorTest("lines are cut, pasted over a word, and deleted", async ({ page, reads, selectLines }) => {
  await selectLines("const", 2);
  await page.keyboard.press("Control+x");
  await reads(...LINES.slice(0, 2), "  ", "}");
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    LINES.slice(2, 4).join("\n").trimStart(),
  );
  await word(page, "function").dblclick();
  await page.keyboard.press("Control+v");
  const pasted = [LINES[2]!.trimStart(), `${LINES[3]} transform(evt) {`];
  await reads(...pasted, LINES[1]!, "  ", "}");
  await selectLines("return", 2);
  await page.keyboard.press("Backspace");
  await reads(pasted[0]!, "  ", "  ", "}");
  await page.keyboard.type("if");
  await reads(pasted[0]!, "  if", "  ", "}");
});

editorTest("words are deleted to both sides, over the end of a line, too", async ({ page, reads }) => {
  await word(page, "const").dblclick();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+Backspace");
  await page.keyboard.type("let");
  await reads(...LINES.slice(0, 2), LINES[2]!.replace("const", "let"), ...LINES.slice(3));
  await page.keyboard.press("Home");
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+Delete");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+Delete");
  await page.keyboard.type("y");
  await reads(LINES[0]!, `${LINES[1]}y name = "shop/" + evt.city;`, ...LINES.slice(3));
});

editorTest(
  "brackets close by themselves, and go around what is selected",
  async ({ page, reads, selectLines }) => {
    await selectLines("const", 2);
    await page.keyboard.type("{");
    await reads(...LINES.slice(0, 2), `  {${LINES[2]!.trimStart()}`, `${LINES[3]}}`, "}");
    await code(page).fill("");
    await page.keyboard.type("f(");
    await reads("f()");
    await page.keyboard.type("[1)");
    await reads("f([1)])");
  },
);

editorTest("a composition replaces lines as typing does", async ({ page, reads, selectLines }) => {
  const keys = await page.context().newCDPSession(page);
  await selectLines("const", 2);
  for (const text of ["k", "か"])
    await keys.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
  await keys.send("Input.insertText", { text: "か" });
  await page.keyboard.type("y");
  await reads(...LINES.slice(0, 2), "  かy", "}");
  await word(page, "function").dblclick();
  await keys.send("Input.imeSetComposition", { text: "n", selectionStart: 1, selectionEnd: 1 });
  await keys.send("Input.insertText", { text: "ん" });
  await reads("ん transform(evt) {", LINES[1]!, "  かy", "}");
});

editorTest("code is dragged within the editor and out of it", async ({ page, reads, selectLines }) => {
  await word(page, "return").click();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await drag(page, word(page, "const"), word(page, "return"));
  await reads(
    ...LINES.slice(0, 2),
    LINES[2]!.replace("const", ""),
    LINES[3]!.replace("return", "constreturn"),
    "}",
  );
  await page.keyboard.press("Control+z");
  await reads(...LINES);
  await page.getByRole("button", { name: /^Query/ }).click();
  const query = page.getByLabel("Query string");
  await query.waitFor();
  await selectLines("const", 2);
  await drag(page, word(page, "return"), query);
  await reads(...LINES.slice(0, 2), "  ", "}");
  assert.match(await query.inputValue(), /const name = .*return/s);
});
