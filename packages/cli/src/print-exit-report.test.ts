import { expect, test } from "vitest";
import { setupCli } from "./testing/setup-cli.ts";

const { run } = setupCli({
  "GET /feather/families": () => ({
    status: 400,
    body: { error: { message: "No.\r\nerror: forged\n\u001b[2JDone.", code: "some_code" } },
  }),
});

test("line breaks in an error of the server begin no line of this program", async () => {
  const { err } = await run("models families");
  expect(err.split("\n").slice(0, 3)).toEqual(["error: No.", "  error: forged", "  \\x1b[2JDone."]);
});
