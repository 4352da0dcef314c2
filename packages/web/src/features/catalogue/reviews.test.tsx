import { errorResponse } from "@feather/testing/errors";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/toast.tsx";
import { maria, neverSettles, type RecordedRequest, renderPage, type StubRoutes } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import { Reviews } from "./reviews.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const ID = "acme/one";
const PATH = `/feather/models/${encodeURIComponent(ID)}/reviews`;
const HELPFUL = `POST ${PATH}/rev_other/helpful`;
const REPORT = `POST ${PATH}/rev_other/report`;
const WRITE = `POST ${PATH}`;
const DELETE = `DELETE ${PATH}/rev_mine`;

const review = (id: string, more: object = {}) => ({
  id,
  user: { name: "Ada" },
  rating: 4,
  review: `The words of ${id}.`,
  tags: [],
  helpful_count: 2,
  helpful: false,
  verified_caller: false,
  mine: false,
  created_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:01:02Z",
  ...more,
});
const other = review("rev_other");
const mine = review("rev_mine", { mine: true, user: { name: "Maria Winter" } });

const TAGS = [
  { id: "coding", label: "Coding" },
  { id: "fast", label: "Fast" },
  { id: "accurate", label: "Accurate" },
  { id: "verbose", label: "Verbose" },
  { id: "refuses", label: "Refuses" },
  { id: "long-context", label: "Long context" },
];
const summary = { avg: null, count: 0, histogram: [0, 0, 0, 0, 0], tag_counts: {} };
type Kept = { mine?: boolean };
const pageOf = (items: Kept[], more: { page?: number; pages?: number; mine?: object } = {}) => ({
  items,
  mine: more.mine ?? items.find((one) => one.mine) ?? null,
  pagination: {
    current_page: more.page ?? 1,
    per_page: 20,
    total_items: items.length * (more.pages ?? 1),
    total_pages: more.pages ?? 1,
  },
  summary,
});

function show(kept: Kept[], routes: StubRoutes = {}) {
  return renderPage(
    <ToastProvider>
      <Reviews id={ID} signedIn />
    </ToastProvider>,
    "/",
    "/",
    {
      "GET /auth/me": () => ({ body: maria }),
      "GET /feather/review-tags": () => ({ body: { items: TAGS } }),
      [`GET ${PATH}`]: () => ({ body: pageOf(kept) }),
      ...routes,
    },
  );
}
const mutations = (requests: readonly RecordedRequest[]) => requests.filter(({ method }) => method !== "GET");
const refused = () => errorResponse(403, "organization_permission_denied", "This credential may only read.");
const findNotice = () => screen.findByText("This credential may only read.");
const helpful = () => screen.findByRole("button", { name: /^Helpful/ });

describe("marking a review as helpful", () => {
  test("counts at once", async () => {
    show([other], { [HELPFUL]: neverSettles });
    await userEvent.click(await helpful());
    const button = screen.getByRole("button", { name: "Helpful (3)", pressed: true });
    expect(button).toBeTruthy();
  });

  test("counts one vote for a double click, and another click removes it", async () => {
    const kept = [{ ...other }];
    const { requests } = show(kept, {
      [HELPFUL]: ({ body }) => {
        const given = String(body.helpful) === "true";
        kept[0] = { ...other, helpful: given, helpful_count: given ? 3 : 2 };
        return { body: { helpful: given, helpful_count: given ? 3 : 2 } };
      },
    });
    await userEvent.dblClick(await helpful());
    await waitFor(() => expect(requests.filter(({ path }) => path === PATH)).toHaveLength(2));
    await userEvent.click(screen.getByRole("button", { name: "Helpful (3)" }));
    expect(await screen.findByRole("button", { name: "Helpful (2)", pressed: false })).toBeTruthy();
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ helpful: true }, { helpful: false }]);
  });

  test("is rolled back with a message when the server rejects it", async () => {
    show([other], { [HELPFUL]: refused });
    await userEvent.click(await helpful());
    await findNotice();
    expect(screen.getByRole("button", { name: "Helpful (2)", pressed: false })).toBeTruthy();
  });
});

describe("reporting a review", () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Report" }));
    return within(await screen.findByRole("dialog", { name: "Report this review" }));
  };

  test.each([
    ["a reason", "It is untrue", "", "Untrue"],
    ["a reason and a comment", "It is advertising", "It sells shoes.", "Advertising: It sells shoes."],
    ["a comment alone", "Another reason", "It is a poem.", "Another reason: It is a poem."],
  ])("sends %s", async (_what, reason, comment, sent) => {
    const { requests } = show([other], { [REPORT]: () => ({ status: 204 }) });
    const dialog = await open();
    await chooseOption(dialog.getByLabelText("What is wrong with it?"), reason);
    if (comment !== "") await userEvent.type(dialog.getByLabelText("In your words"), comment);
    await userEvent.dblClick(dialog.getByRole("button", { name: "Report" }));
    expect(await screen.findByText("Reported")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ reason: sent }]);
  });

  test("requires a comment where no reason fits, and shows the server's error", async () => {
    const { requests } = show([other], { [REPORT]: refused });
    const dialog = await open();
    await chooseOption(dialog.getByLabelText("What is wrong with it?"), "Another reason");
    await userEvent.click(dialog.getByRole("button", { name: "Report" }));
    expect(await dialog.findByText("Say what is wrong with it.")).toBeTruthy();
    expect(mutations(requests)).toEqual([]);
    await chooseOption(dialog.getByLabelText("What is wrong with it?"), "It is untrue");
    await userEvent.click(dialog.getByRole("button", { name: "Report" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("This credential may only read.");
  });
});

describe("writing a review", () => {
  const write = async (comment: string) => {
    await userEvent.click(await screen.findByRole("radio", { name: "5 of 5" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Review" }), comment);
    await userEvent.dblClick(screen.getByRole("button", { name: "Publish review" }));
  };

  test("shows the review before the server has responded", async () => {
    show([other], { [WRITE]: neverSettles });
    await write("Fast.");
    expect((await screen.findAllByRole("article")).map(({ textContent }) => textContent)[0]).toContain("Maria Winter");
  });

  test("sends one review for a double click", async () => {
    const kept = [other];
    const { requests } = show(kept, {
      [WRITE]: ({ body }) => {
        kept.unshift({ ...mine, review: body.review ?? "" });
        return { status: 201, body: kept[0] };
      },
    });
    await write("Fast.");
    expect(await screen.findByText("Review saved")).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Save changes" })).toBeTruthy();
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ review: "Fast.", rating: 5, tags: [] }]);
    expect(sessionStorage.length).toBe(0);
  });

  test("keeps the text when the server rejects it", async () => {
    show([other], { [WRITE]: refused });
    await write("Fast.");
    await findNotice();
    expect(screen.getAllByRole("article")).toHaveLength(1);
    expect(screen.getByRole("textbox", { name: "Review" })).toHaveProperty("value", "Fast.");
    expect(screen.getByRole("radio", { name: "5 of 5" }).getAttribute("aria-checked")).toBe("true");
  });
});

describe("the tags of a review", () => {
  const chip = (name: string) => screen.findByRole("button", { name });

  test("are selected, five at most, and sent", async () => {
    const { requests } = show([other], { [WRITE]: () => ({ status: 201, body: mine }) });
    for (const { label } of TAGS.slice(0, 5)) await userEvent.click(await chip(label));
    expect(await chip("Long context")).toHaveProperty("disabled", true);
    await userEvent.click(await chip("Fast"));
    await userEvent.click(await chip("Long context"));
    await userEvent.click(screen.getByRole("radio", { name: "5 of 5" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Review" }), "Good.");
    await userEvent.click(screen.getByRole("button", { name: "Publish review" }));
    await waitFor(() =>
      expect(mutations(requests)).toMatchObject([
        { body: { tags: ["coding", "accurate", "verbose", "refuses", "long-context"] } },
      ]),
    );
  });

  test("are shown by their labels, and kept when the review is edited", async () => {
    const tagged = { ...mine, tags: ["coding", "withdrawn"] };
    const { requests } = show([tagged], { [WRITE]: () => ({ body: tagged }) });
    await waitFor(() => expect(screen.getByRole("article").textContent).toContain("Coding"));
    expect((await chip("Coding")).getAttribute("aria-pressed")).toBe("true");
    await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
    await waitFor(() => expect(mutations(requests)).toMatchObject([{ body: { tags: ["coding"] } }]));
  });
});

describe("the list of reviews", () => {
  test("is loaded page by page, in the selected order", async () => {
    const { requests } = show([], {
      [`GET ${PATH}`]: ({ query }) => {
        const page = Number(query.get("page"));
        return { body: pageOf([review(`rev_${query.get("sort")}_${page}`)], { page, pages: 2 }) };
      },
    });
    await screen.findByText("The words of rev_-created_at_1.");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("The words of rev_-created_at_2.");
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
    await chooseOption(screen.getByRole("combobox", { name: "Sort reviews by" }), "Lowest rating");
    await screen.findByText("The words of rev_rating_1.");
    expect(
      requests
        .filter(({ path }) => path === PATH)
        .at(-1)
        ?.query.get("page"),
    ).toBe("1");
  });

  test("has the user's own review in the form, even if it is on another page", async () => {
    show([], { [`GET ${PATH}`]: () => ({ body: pageOf([other], { pages: 2, mine }) }) });
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Review" })).toHaveProperty("value", "The words of rev_mine."),
    );
  });
});

describe("deleting a review", () => {
  const takeBack = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
    await userEvent.dblClick(await screen.findByRole("button", { name: "Delete review" }));
  };
  const text = () => screen.getByRole("textbox", { name: "Review" });

  test("removes it at once, and empties the form once it is deleted", async () => {
    const kept = [mine, other];
    const { requests } = show(kept, {
      [DELETE]: () => {
        kept.shift();
        return { status: 204 };
      },
    });
    await takeBack();
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
    await waitFor(() => expect(text()).toHaveProperty("value", ""));
    expect(mutations(requests)).toHaveLength(1);
  });

  test("restores it when the server rejects the deletion", async () => {
    show([mine, other], { [DELETE]: refused });
    await takeBack();
    await findNotice();
    expect(screen.getAllByRole("article")).toHaveLength(2);
    expect(text()).toHaveProperty("value", mine.review);
  });
});
