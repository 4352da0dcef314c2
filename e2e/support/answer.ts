import type { Page } from "playwright-core";

/** Makes every chat completion of a page answer with this Markdown. */
export async function answerWith(page: Page, markdown: string): Promise<void> {
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({
      id: "chatcmpl_1",
      object: "chat.completion.chunk",
      created: 1,
      model: "feather/demo",
      choices: [{ index: 0, ...choice }],
    })}\n\n`;
  await page.route("**/v1/chat/completions", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `${chunk({ delta: { role: "assistant", content: markdown } })}${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`,
    }),
  );
}
