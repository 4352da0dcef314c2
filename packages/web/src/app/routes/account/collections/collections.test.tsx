import type { Collection, CollectionDocument, CollectionHit } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import CollectionPage from "./collection.tsx";
import CollectionsPage from "./collections.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-30T14:01:02Z";
const HANDBOOK: Sent<Collection> = {
  ...{ id: "col_1", name: "Handbook", description: "How we work.", access: "members", embedding_model: "acme/embed" },
  ...{ may_change: true, documents: 2, waiting_documents: 0, failed_documents: 0, passages: 9 },
  ...{ created_by_name: "Erik Vogel", created_at: AT, updated_at: AT },
};
const MINE: Sent<Collection> = {
  ...{ ...HANDBOOK, id: "col_2", name: "Mine", description: "", access: "owner", embedding_model: null, documents: 0 },
};
const READY: Sent<CollectionDocument> = {
  ...{ id: "doc_1", name: "leave.pdf", type: "application/pdf", pages: 12, characters: 99, cut_at: null, passages: 8 },
  ...{ embedded_passages: 8, state: "ready", problem: null, next_try_at: null, created_by_name: null, created_at: AT },
};
const HIT: Sent<CollectionHit> = {
  ...{ collection_id: "col_1", document_id: "doc_1", document_name: "leave.pdf", number: 3, page: 2, start: 0, end: 9 },
  ...{ text: "Everybody has thirty days.", score: 0.03, rank_by_words: 1, rank_by_meaning: null },
};
const pageOf = (items: Sent<CollectionDocument>[]) => ({
  items,
  pagination: { current_page: 1, per_page: 50, total_items: items.length, total_pages: 1 },
});

function show(page: "list" | "collection", routes: StubHandlers = []) {
  const at = page === "list" ? "/account/collections" : "/account/collections/col_1";
  return renderPage(
    <ToastProvider>
      <ConfirmProvider>{page === "list" ? <CollectionsPage /> : <CollectionPage />}</ConfirmProvider>
    </ToastProvider>,
    page === "list" ? at : "/account/collections/:id",
    at,
    [
      ...routes,
      http.collections.list({ items: [HANDBOOK, MINE] }),
      http.collections.get(HANDBOOK),
      http.collections.documents.list(pageOf([READY])),
      http.models.list({
        items: [],
        pagination: { current_page: 1, per_page: 100, total_items: 0, total_pages: 1 },
      }),
      http.auth.me(maria),
    ],
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const writesOf = ({ requests }: ReturnType<typeof renderPage>) =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);
const file = (name: string) => new File(["text"], name, { type: "text/plain" });
const rowOf = async (name: string) => (await screen.findByText(name)).closest("tr") as HTMLTableRowElement;

test("the list says who reads each collection, its model, its documents and their states", async () => {
  const waiting = { ...HANDBOOK, waiting_documents: 1 };
  const failed = { ...HANDBOOK, id: "col_3", name: "Rules", waiting_documents: 1, failed_documents: 2 };
  show("list", [http.collections.list({ items: [waiting, MINE, failed] })]);
  const row = await rowOf("Handbook");
  for (const text of ["all members", "acme/embed", "How we work.", "2", "1 waiting"])
    expect(within(row).getByText(text)).toBeTruthy();
  expect((await rowOf("Mine")).textContent).toMatch(/only you.*none, words alone.*empty/);
  expect((await rowOf("Rules")).textContent).toContain("2 failed");
});

test("the list is searched by name and description", async () => {
  show("list");
  await userEvent.type(await screen.findByLabelText("Search by name or description"), "how we{Enter}");
  await waitFor(() => expect(screen.queryByText("Mine")).toBeNull());
  expect(screen.getByText("Handbook")).toBeTruthy();
});

test("an empty list offers to create a collection, which is then opened", async () => {
  const page = show("list", [http.collections.list({ items: [] }), http.collections.create(HANDBOOK)]);
  expect(await screen.findByText("No collections yet")).toBeTruthy();
  await press("New collection");
  await press("Create the collection");
  expect(await screen.findByText("Name is missing.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Name"), "Handbook");
  await press("Create the collection");
  await waitFor(() => expect(page.router.state.location.pathname).toBe("/account/collections/col_1"));
  expect(writesOf(page)).toEqual([["POST", "/collections", { name: "Handbook", description: "", access: "members" }]]);
});

test("a change sends who may read and the model only where they change", async () => {
  const page = show("list", [http.collections.update(HANDBOOK)]);
  await press("Change Handbook");
  const name = await screen.findByLabelText("Name");
  await userEvent.clear(name);
  await userEvent.type(name, "Rules");
  await press("Save");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(writesOf(page)).toEqual([["PUT", "/collections/col_1", { name: "Rules", description: "How we work." }]]);
});

test("a collection is deleted after a question that says what is lost", async () => {
  const page = show("list", [http.collections.delete()]);
  await press("Delete Handbook");
  expect(await screen.findByText(/Its 2 documents, with passages and vectors, cannot be brought back/)).toBeTruthy();
  expect(writesOf(page)).toEqual([]);
  await press("Delete the collection");
  await waitFor(() => expect(writesOf(page)).toEqual([["DELETE", "/collections/col_1", undefined]]));
});

test("who may not change a collection sees who can, and no buttons", async () => {
  show("list", [http.collections.list({ items: [{ ...HANDBOOK, may_change: false }] })]);
  expect(await screen.findByText("Erik Vogel and admins change it")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Delete Handbook" })).toBeNull();
  show("collection", [http.collections.get({ ...HANDBOOK, may_change: false })]);
  expect(await screen.findByText(/The person who created it and admins of your organization change it/)).toBeTruthy();
  await screen.findByText("leave.pdf");
  for (const name of ["Add documents", "Change", "Delete", "Delete leave.pdf"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

test("documents are shown with their states, and a failure with its reason", async () => {
  const failed = { ...READY, id: "doc_2", name: "x.txt", pages: null, state: "failed" as const };
  show("collection", [
    http.collections.documents.list(
      pageOf([
        READY,
        { ...failed, problem: "There are no credits.", next_try_at: AT },
        { ...READY, id: "doc_3", name: "y.txt", state: "embedding", embedded_passages: 3 },
      ]),
    ),
  ]);
  expect((await rowOf("leave.pdf")).textContent).toMatch(/12 pages · 8 passages.*ready/);
  expect((await rowOf("x.txt")).textContent).toMatch(/vectors failed, found by words.*There are no credits\.Next try/);
  expect((await rowOf("y.txt")).textContent).toContain("3 of 8 vectors are made");
});

test("files are added one after the other, and one that is refused does not hold up those after it", async () => {
  const running: (() => void)[] = [];
  show("collection", [
    http.collections.documents.add(async () => {
      const count = running.length;
      await new Promise<void>((resolve) => running.push(resolve));
      return count === 0 ? refuse(409, "collections.document_exists", "a.txt is there already.") : READY;
    }),
  ]);
  fireEvent.change(await screen.findByLabelText("Files"), { target: { files: [file("a.txt"), file("b.txt")] } });
  await waitFor(() => expect(running).toHaveLength(1));
  const list = within(screen.getByRole("list", { name: "Files that are added" }));
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "a.txt: is being read …",
    "b.txt: waits",
  ]);
  running[0]?.();
  expect(await list.findByText("a.txt is there already.")).toBeTruthy();
  await waitFor(() => expect(running).toHaveLength(2));
  running[1]?.();
  expect(await screen.findByText("All 2 files are through.")).toBeTruthy();
  await press("Clear this list");
  expect(screen.queryByRole("list", { name: "Files that are added" })).toBeNull();
});

test("a file that is dropped on the documents is added", async () => {
  const page = show("collection", [http.collections.documents.add(READY)]);
  const dataTransfer = { types: ["Files"], files: [file("dropped.txt")] };
  fireEvent.drop(await screen.findByText("leave.pdf"), { dataTransfer });
  await screen.findByText("All 1 files are through.");
  expect(writesOf(page).map(([method, path]) => [method, path])).toEqual([["POST", "/collections/col_1/documents"]]);
});

test("a search shows passages with document and page, and why some may be missing", async () => {
  const problems = ["Searched by words alone, since acme/embed cannot be used."];
  const page = show("collection", [http.collections.search({ items: [HIT], compared_by: "words", problems })]);
  await userEvent.type(await screen.findByLabelText("Question or words"), "How many days?{Enter}");
  const hit = within((await screen.findByText("Everybody has thirty days.")).closest("li") as HTMLElement);
  expect([hit.getByText("leave.pdf"), hit.getByText("Page 2, passage 3")]).toHaveLength(2);
  expect(screen.getByText(problems[0] ?? "")).toBeTruthy();
  expect(writesOf(page)).toEqual([
    ["POST", "/collections/search", { collection_ids: ["col_1"], query: "How many days?" }],
  ]);
});

test("a search that fails says so, and shows no passages of an earlier one", async () => {
  const refusal = refuse(403, "organization_permission_denied", "You may not search.");
  let isRefused = false;
  show("collection", [
    http.collections.search(() => (isRefused ? refusal : { items: [HIT], compared_by: "words", problems: [] })),
  ]);
  const field = await screen.findByLabelText("Question or words");
  await userEvent.type(field, "days{Enter}");
  await screen.findByText("Everybody has thirty days.");
  isRefused = true;
  await userEvent.type(field, " off{Enter}");
  expect(await screen.findByText("You may not search.")).toBeTruthy();
  expect(screen.queryByText("Everybody has thirty days.")).toBeNull();
});

test("a collection that is not there says so", async () => {
  show("collection", [http.collections.get(refuse(404, "collections.not_found", "There is no such collection."))]);
  expect(await screen.findByText("There is no collection with this id")).toBeTruthy();
});
