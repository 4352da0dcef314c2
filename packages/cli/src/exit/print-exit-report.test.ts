import { expect, test } from "vitest";
import { setupCli } from "../testing/setup-cli.ts";

const { run, runInteractive } = setupCli({
  "GET /feather/families": () => ({
    status: 400,
    body: { error: { message: "No.\r\nerror: forged\n\u001b[2JDone.", code: "some_code" } },
  }),
});

test("line breaks in an error of the server begin no line of this program", async () => {
  const { err } = await run("models families");
  expect(err.split("\n").slice(0, 3)).toEqual(["error: No.", "  error: forged", "  \\x1b[2JDone."]);
});

test("an error and its notes are wrapped between words at a narrow terminal", async () => {
  const { err } = await runInteractive("keys create x --expires yesterday", { columns: 40 });
  expect(err).toBe(`error: option '--expires <when>'
  argument 'yesterday' is invalid. It
  must be a date, such as 2027-03-01, a
  time in RFC 3339, or a time from now,
  such as 30d or 12h.
  try: feather keys --help
`);
});

test.each([
  ["nothing", "feather"],
  ["admin nothing", "feather admin"],
  ["admin users nothing", "feather admin users"],
])("the unknown command %s leads to the help of the group that it names", async (line, group) => {
  expect((await run(line)).err).toContain(`try: ${group} --help\n`);
});
