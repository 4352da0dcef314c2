import { errorResponse } from "@feather/testing/errors";
import { beforeEach, describe, expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const summary = {
  kind: "post",
  slug: "launch",
  title: "Launch",
  description: "It is there.",
  author: "Ada",
  tags: ["news"],
  source: "editor",
  replaces: null,
  state: "draft",
  published_at: null as string | null,
  version: 2,
  edited_by: "Ada",
  edited_at: "2026-11-19T14:01:02.000Z",
};
const item = { ...summary, text: "## First\n\nWords." };
const live = { ...item, slug: "live", state: "published", published_at: "2026-11-01T09:00:00.000Z" };
const pagination = { current_page: 1, per_page: 50, total_items: 1, total_pages: 1 };
const problems = [{ file: "content/blog/bad.md", problem: "It has no text." }];
let refusal: ReturnType<typeof errorResponse> | null = null;
beforeEach(() => {
  refusal = null;
});

const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/content": () => ({ body: { items: [summary], pagination, problems } }),
  "GET /admin/content/post/launch": () => ({ body: item }),
  "GET /admin/content/post/live": () => ({ body: live }),
  "GET /admin/content/page/imprint": () =>
    errorResponse(404, "content.not_found", "There is no post or page at this address."),
  "PUT /admin/content/post/launch": ({ body }) => refusal ?? { body: { ...item, ...(body as object) } },
  "PUT /admin/content/post/live": ({ body }) => ({ body: { ...live, ...(body as object) } }),
  "PUT /admin/content/page/imprint": ({ body }) => ({
    body: { ...item, kind: "page", slug: "imprint", ...(body as object) },
  }),
  "DELETE /admin/content/post/launch?version=2": () => ({ status: 204 }),
});
const sent = () => requests().at(-1)?.body;

describe("admin content list", () => {
  test("shows posts and pages with their state, and names files that are not shown", async () => {
    const { out, err } = await runInteractive("admin content list");
    expect(out).toMatch(/post\/launch +Launch +editor +draft/);
    expect(err).toContain("Not shown: content/blog/bad.md: It has no text.");
    expect((await run("admin content list -q")).out).toBe("post/launch\n");
  });

  test("needs a sign-in", async () => {
    expect((await runAnonymous("admin content list")).code).toBe(4);
  });
});

describe("admin content show", () => {
  test("prints the Markdown on stdout, and title and state on stderr", async () => {
    const { out, err } = await run("admin content show post/launch");
    expect(out).toBe("## First\n\nWords.\n");
    expect(err).toContain("Launch. It is there. (draft)");
    expect((await run("admin content show page/imprint")).code).toBe(3);
  });

  test("refuses what is neither a post nor a page", async () => {
    const { code, err } = await run("admin content show launch");
    expect([code, err.includes("launch is neither post/<slug> nor page/<slug>")]).toEqual([2, true]);
  });
});

describe("admin content put", () => {
  test("sends what is given with the version that was read, and keeps the rest", async () => {
    const { out } = await run(["admin", "content", "put", "post/launch", "--file", "-"], { stdin: "Other words.\n" });
    expect(out).toBe("post/launch\n");
    expect(sent()).toEqual({
      ...{ version: 2, title: "Launch", description: "It is there.", author: "Ada", tags: ["news"] },
      ...{ state: "draft", published_at: null, text: "Other words.\n" },
    });
    await run(["admin", "content", "put", "post/launch", "--tags", "a, b,,a", "--author", ""]);
    expect(sent()).toMatchObject({ tags: ["a", "b"], author: null, text: item.text });
  });

  test("leaves what is published as it is, unless it is to be hidden", async () => {
    await run(["admin", "content", "put", "post/live", "--title", "Other"]);
    expect(sent()).toMatchObject({ title: "Other", state: "published", published_at: live.published_at });
    await run("admin content put post/live --draft");
    expect(sent()).toMatchObject({ state: "draft" });
  });

  test("makes a draft of what is new, which needs title, description and text", async () => {
    const flags = ["--title", "Imprint", "--description", "Who runs this.", "--file", "-"];
    await run(["admin", "content", "put", "page/imprint", ...flags], { stdin: "Words." });
    expect(sent()).toMatchObject({
      version: 0,
      title: "Imprint",
      state: "draft",
      author: null,
      tags: [],
      text: "Words.",
    });
    const { code, err } = await run("admin content put page/imprint");
    expect([code, err.includes("page/imprint is new: it needs --title, --description and --file")]).toEqual([2, true]);
  });

  test("says that another admin changed it", async () => {
    refusal = errorResponse(409, "content.changed", "Another admin changed this meanwhile.");
    const { code, err } = await run("admin content put post/launch --title x");
    expect([code === 0, err.includes("Another admin changed this meanwhile.")]).toEqual([false, true]);
  });
});

describe("admin content publish", () => {
  test("publishes now, or at a time", async () => {
    await run("admin content publish post/launch");
    expect(sent()).toMatchObject({ version: 2, state: "published", published_at: null, text: item.text });
    await run("admin content publish post/launch --at 2026-12-05T09:00:00Z");
    expect(sent()).toMatchObject({ state: "published", published_at: "2026-12-05T09:00:00.000Z" });
  });
});

describe("admin content delete", () => {
  test("deletes the version that was read, after a confirmation", async () => {
    const { err } = await run("admin content delete post/launch --yes");
    expect(err).toContain("Launch is deleted.");
    expect(requests().at(-1)).toMatchObject({ method: "DELETE" });
  });
});
