import type { Review, ReviewList, ReviewSummary } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { bodyOf, maria, neverSettles, type RecordedRequest, renderPage, searchParamsOf } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import { Reviews } from "./reviews.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const ID = "acme/one";
const PATH = `/feather/models/${encodeURIComponent(ID)}/reviews`;

const review = (id: string, more: Partial<Sent<Review>> = {}): Sent<Review> => ({
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
const summary: ReviewSummary = { avg: null, count: 0, histogram: [0, 0, 0, 0, 0], tag_counts: {} };
const pageOf = (
  items: Sent<Review>[],
  more: { page?: number; pages?: number; mine?: Sent<Review> } = {},
): Sent<ReviewList> => ({
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

function show(kept: Sent<Review>[], routes: StubHandlers = []) {
  return renderPage(
    <ToastProvider>
      <Reviews id={ID} signedIn />
    </ToastProvider>,
    "/",
    "/",
    [
      ...routes,
      http.auth.me(maria),
      http.models.reviews.tags({ items: TAGS }),
      http.models.reviews.list(() => pageOf(kept), { params: { id: ID } }),
    ],
  );
}
const mutations = (requests: readonly RecordedRequest[]) => requests.filter(({ method }) => method !== "GET");
const refused = refuse(403, "organization_permission_denied", "This credential may only read.");
const findNotice = () => screen.findByText("This credential may only read.");
const helpful = () => screen.findByRole("button", { name: /^Helpful/ });

describe("marking a review as helpful", () => {
  test("marking a review as helpful counts at once", async () => {
    show([other], [http.models.reviews.helpful(neverSettles, { params: { id: ID, reviewId: "rev_other" } })]);
    await userEvent.click(await helpful());
    const button = screen.getByRole("button", { name: "Helpful (3)", pressed: true });
    expect(button).toBeTruthy();
  });

  test("marking a review as helpful counts one vote for a double click, and another click removes it", async () => {
    const kept = [{ ...other }];
    const { requests } = show(kept, [
      http.models.reviews.helpful(
        async ({ request }) => {
          const given = String((await bodyOf(request)).helpful) === "true";
          kept[0] = { ...other, helpful: given, helpful_count: given ? 3 : 2 };
          return { helpful: given, helpful_count: given ? 3 : 2 };
        },
        { params: { id: ID, reviewId: "rev_other" } },
      ),
    ]);
    await userEvent.dblClick(await helpful());
    await waitFor(() => expect(requests.filter(({ path }) => path === PATH)).toHaveLength(2));
    await userEvent.click(screen.getByRole("button", { name: "Helpful (3)" }));
    expect(await screen.findByRole("button", { name: "Helpful (2)", pressed: false })).toBeTruthy();
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ helpful: true }, { helpful: false }]);
  });

  test("marking a review as helpful is rolled back with a message when the server rejects it", async () => {
    show([other], [http.models.reviews.helpful(refused, { params: { id: ID, reviewId: "rev_other" } })]);
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
  ])("reporting a review sends %s", async (_what, reason, comment, sent) => {
    const { requests } = show(
      [other],
      [http.models.reviews.report(undefined, { params: { id: ID, reviewId: "rev_other" } })],
    );
    const dialog = await open();
    await chooseOption(dialog.getByLabelText("What is wrong with it?"), reason);
    if (comment !== "") await userEvent.type(dialog.getByLabelText("In your words"), comment);
    await userEvent.dblClick(dialog.getByRole("button", { name: "Report" }));
    expect(await screen.findByText("Reported")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ reason: sent }]);
  });

  test("reporting a review requires a comment where no reason fits, and shows the server's error", async () => {
    const { requests } = show(
      [other],
      [http.models.reviews.report(refused, { params: { id: ID, reviewId: "rev_other" } })],
    );
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

  test("writing a review shows the review before the server has responded", async () => {
    show([other], [http.models.reviews.create(neverSettles, { params: { id: ID } })]);
    await write("Fast.");
    expect((await screen.findAllByRole("article")).map(({ textContent }) => textContent)[0]).toContain("Maria Winter");
  });

  test("writing a review sends one review for a double click", async () => {
    const kept = [other];
    const { requests } = show(kept, [
      http.models.reviews.create(
        async ({ request }) => {
          const saved = { ...mine, review: (await bodyOf(request)).review ?? "" };
          kept.unshift(saved);
          return saved;
        },
        { params: { id: ID } },
      ),
    ]);
    await write("Fast.");
    expect(await screen.findByText("Review saved")).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Save changes" })).toBeTruthy();
    expect(mutations(requests).map(({ body }) => body)).toEqual([{ review: "Fast.", rating: 5, tags: [] }]);
    expect(sessionStorage.length).toBe(0);
  });

  test("writing a review keeps the text when the server rejects it", async () => {
    show([other], [http.models.reviews.create(refused, { params: { id: ID } })]);
    await write("Fast.");
    await findNotice();
    expect(screen.getAllByRole("article")).toHaveLength(1);
    expect(screen.getByRole("textbox", { name: "Review" })).toHaveProperty("value", "Fast.");
    expect(screen.getByRole("radio", { name: "5 of 5" }).getAttribute("aria-checked")).toBe("true");
  });
});

describe("the tags of a review", () => {
  const chip = (name: string) => screen.findByRole("button", { name });

  test("the tags of a review are selected, five at most, and sent", async () => {
    const { requests } = show([other], [http.models.reviews.create(mine, { params: { id: ID } })]);
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

  test("the tags of a review are shown by their labels, and kept when the review is edited", async () => {
    const tagged = { ...mine, tags: ["coding", "withdrawn"] };
    const { requests } = show([tagged], [http.models.reviews.create(tagged, { params: { id: ID } })]);
    await waitFor(() => expect(screen.getByRole("article").textContent).toContain("Coding"));
    expect((await chip("Coding")).getAttribute("aria-pressed")).toBe("true");
    await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
    await waitFor(() => expect(mutations(requests)).toMatchObject([{ body: { tags: ["coding"] } }]));
  });
});

describe("the list of reviews", () => {
  test("the list of reviews is loaded page by page, in the selected order", async () => {
    const { requests } = show(
      [],
      [
        http.models.reviews.list(
          ({ request }) => {
            const page = Number(searchParamsOf(request).get("page"));
            return pageOf([review(`rev_${searchParamsOf(request).get("sort")}_${page}`)], { page, pages: 2 });
          },
          { params: { id: ID } },
        ),
      ],
    );
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

  test("tags narrow the list to reviews that have all of them, and a narrowed list that is empty leads back", async () => {
    const tagged = { ...summary, avg: 4, count: 3, tag_counts: { fast: 1, coding: 2 } };
    const { requests } = show(
      [],
      [
        http.models.reviews.list(
          ({ request }) => {
            const tags = searchParamsOf(request).get("tags");
            const items = tags === "coding,fast" ? [] : [review(tags ? `rev_${tags}` : "rev_all")];
            return { ...pageOf(items), summary: tagged };
          },
          { params: { id: ID } },
        ),
      ],
    );
    await screen.findByText("The words of rev_all.");
    const tags = within(screen.getByRole("group", { name: "Only reviews with these tags" }));
    await tags.findByRole("button", { name: "Fast 1" });
    expect(tags.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Coding 2", "Fast 1"]);
    await userEvent.click(tags.getByRole("button", { name: "Coding 2" }));
    await screen.findByText("The words of rev_coding.");
    expect(tags.getByRole("button", { name: "Coding 2" }).getAttribute("aria-pressed")).toBe("true");
    await userEvent.click(tags.getByRole("button", { name: "Fast 1" }));
    await screen.findByText("No review has all of these tags");
    await userEvent.click(screen.getByRole("button", { name: "Show all reviews" }));
    await screen.findByText("The words of rev_all.");
    const sent = requests.filter(({ path }) => path === PATH).map(({ query }) => query.get("tags"));
    expect(sent.slice(0, 3)).toEqual([null, "coding", "coding,fast"]);
  });

  test("the list of reviews has the user's own review in the form, even if it is on another page", async () => {
    show([], [http.models.reviews.list(() => pageOf([other], { pages: 2, mine }), { params: { id: ID } })]);
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

  test("deleting a review removes it at once, and empties the form once it is deleted", async () => {
    const kept = [mine, other];
    const { requests } = show(kept, [
      http.models.reviews.delete(
        () => {
          kept.shift();
          return undefined;
        },
        { params: { id: ID, reviewId: "rev_mine" } },
      ),
    ]);
    await takeBack();
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
    await waitFor(() => expect(text()).toHaveProperty("value", ""));
    expect(mutations(requests)).toHaveLength(1);
  });

  test("deleting a review restores it when the server rejects the deletion", async () => {
    show([mine, other], [http.models.reviews.delete(refused, { params: { id: ID, reviewId: "rev_mine" } })]);
    await takeBack();
    await findNotice();
    expect(screen.getAllByRole("article")).toHaveLength(2);
    expect(text()).toHaveProperty("value", mine.review);
  });
});
