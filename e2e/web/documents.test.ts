import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

const DRAWING = "BT /F 12 Tf 20 50 Td (The wren weighs 9 g.) Tj ET";
const PDF = [
  "%PDF-1.4",
  "1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj",
  "2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj",
  "3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 99] /Resources <</Font <</F 5 0 R>>>> /Contents 4 0 R>> endobj",
  `4 0 obj <</Length ${DRAWING.length}>> stream\n${DRAWING}\nendstream endobj`,
  "5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj",
  "trailer <</Root 1 0 R>>\n%%EOF",
].join("\n");
const toFile = (name: string, content: string) => ({ name, mimeType: "application/pdf", buffer: Buffer.from(content) });

test("a person asks about a PDF, and reads in the message what the model was given", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.goto("/chat?model=feather/demo");
  const files = page.locator("input[type=file]").first();
  await files.setInputFiles([toFile("birds.pdf", PDF), toFile("broken.pdf", "%PDF-1.4 and no more")]);
  await page.getByText("broken.pdf cannot be read: the file is damaged or incomplete.").waitFor();
  await page.getByText(/^1 page · .* tokens$/).waitFor();
  await page.getByRole("button", { name: "Remove broken.pdf" }).click();

  const sent = page.waitForRequest((request) => request.url().endsWith("/v1/chat/completions"));
  await page.getByLabel("Message").fill("How heavy is it?");
  await page.getByRole("button", { name: "Send", disabled: false }).click();
  expect((await sent).postDataJSON().messages.at(-1).content).toBe(
    '<file name="birds.pdf">\n--- page 1 of 1 ---\nThe wren weighs 9 g.\n</file>\n\nHow heavy is it?',
  );
  await page
    .getByText(/^\d+ tokens$/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "birds.pdf", exact: true }).click();
  await page.getByRole("dialog").getByText("The wren weighs 9 g.").waitFor();
});
