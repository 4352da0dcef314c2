/** The catalogue from the terminal, against the platform itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const visitor = createCli({ baseUrl });
let person: Cli;
beforeAll(async () => {
  person = createCli({ baseUrl, token: (await createAccount(baseUrl)).token });
});
afterAll(() => {
  for (const one of [visitor, person]) one.remove();
});

describe("reading without signing in", () => {
  type Listed = { items: { id: string }[]; pagination: { total_items: number } };

  test("filters lists, pages through them, and lists everything", async () => {
    const first = await visitor.json<Listed>("models list --limit 2");
    expect(first.items).toHaveLength(2);
    const second = await visitor.json<Listed>("models list --limit 2 --page 2");
    expect(second.items.map(({ id }) => id)).not.toContain(first.items[0]?.id);
    const all = await visitor.run("models list --all -q");
    expect(all.stdout.trim().split("\n")).toHaveLength(first.pagination.total_items);
    const small = await visitor.run("models list --size 1B..4B --json parameter_size");
    const sizes = (JSON.parse(small.stdout) as { parameter_size: number }[]).map((model) => model.parameter_size);
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4e9);
    expect((await visitor.run("models list --warm -q")).stdout).toContain("feather/demo\n");
    expect((await visitor.run("models search demo -q")).stdout).toContain("feather/demo\n");
  });

  test.each<[string, RegExp]>([
    ["models show feather/demo", /^model\tfeather\/demo\n/],
    ["models families --csv", /^family,models,owner,kinds\r\n/],
    ["models families --jq [.items[].id]|length", /^\d+\n$/],
    ["models releases --limit 2", /^\d{4}-\d\d-\d\d\t\d+\t\S+\/\S+/],
    ["models popular --json", /^\{"popular":\[/],
    ["models reviews list feather/demo --json", /"items":/],
    ["status --json", /"state":"operational"/],
  ])("prints the right output: %s", async (line, printed) => {
    const { code, stdout, stderr } = await visitor.run(line);
    expect([code, stderr.replace(/^There are no reviews.*\n/, "")]).toEqual([0, ""]);
    expect(stdout).toMatch(printed);
  });
});

describe("models of a signed-in user", () => {
  test("adds a favorite and a review, and a second review replaces the first", async () => {
    expect(await person.run("models favorite feather/demo")).toMatchObject({ code: 0 });
    expect(await person.json("api GET /feather/favorites")).toMatchObject({
      items: [expect.objectContaining({ id: "feather/demo" })],
    });
    for (const [text, rating] of [
      ["Fast.", "5"],
      ["Fast, but it knows nothing.", "2"],
    ] as const)
      expect((await person.run(["models", "reviews", "write", "feather/demo", text, "--rating", rating])).code).toBe(0);
    const read = await visitor.run("models reviews list feather/demo");
    expect(read.stdout).toContain("Fast, but it knows nothing.");
    expect(read.stdout).not.toContain("Fast.\n");
  });

  test("distinguishes a missing gate, a missing model and an unreachable hub", async () => {
    const open = await person.run("models unlock feather/demo");
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("not gated")]);
    const missing = await person.run("models show feather/dmeo");
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringMatching(/close: +feather\/demo/)]);
    // The hub may be reachable or not: the command ends soon in both cases, and says which.
    const result = await person.run("models request feather-nobody/no-such-model");
    expect([2, 3, 4, 6, 7, 9]).toContain(result.code);
    expect(result.stderr).toMatch(/^error: /);
  });

  test("reports commands that require an admin", async () => {
    expect(await person.run("models pulls list")).toMatchObject({ code: 4 });
  });
});
