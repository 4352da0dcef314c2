import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { SharesSection } from "./shares-section.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-30T08:00:00Z";
const share = (id: string, conversation_id: string, title: string) => ({
  id,
  conversation_id,
  title,
  url: `https://feather.example/shared-chats/${id}`,
  is_readable: true,
  created_at: AT,
  expires_at: "2026-12-07T08:00:00Z",
});
const organization = (chat_links: boolean) => ({
  id: maria.organization.id,
  name: maria.organization.name,
  role: "admin" as const,
  calls_elsewhere: true,
  chat_storage: "server" as const,
  chat_retention_days: null,
  chat_links,
  created_at: AT,
});

function showDialog({ chatLinks = true, user = maria } = {}) {
  let items = [share("shr_2", "chat-2", "Another")];
  const sharing = { id: "chat-1", title: "Rain", loadEntryIds: async () => ["q1", "a2"] };
  return renderPage(
    <ToastProvider>
      <ShareDialog sharing={sharing} onClose={() => {}} />
    </ToastProvider>,
    "/chat",
    "/chat",
    [
      http.auth.me(user),
      http.organization.list({ items: [organization(chatLinks)] }),
      http.chatShares.list(() => ({ items })),
      http.chatShares.create(() => {
        const made = share("shr_1", "chat-1", "Rain");
        items = [made, ...items];
        return made;
      }),
      http.chatShares.delete(
        () => {
          items = items.filter(({ id }) => id !== "shr_1");
          return undefined;
        },
        { params: { id: "shr_1" } },
      ),
    ],
  );
}
const sent = ({ requests }: ReturnType<typeof renderPage>) =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);

test("a link is made to the messages that are shown, listed with its end, and revoked", async () => {
  const page = showDialog();
  await userEvent.click(await screen.findByRole("button", { name: "Make a link" }));
  const copy = await screen.findByRole("button", { name: "Copy the link to Rain" });
  expect(copy).toBeTruthy();
  expect(screen.queryByText("Another")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Revoke the link to Rain" }));
  await waitFor(() => expect(screen.queryByText("Rain")).toBeNull());
  expect(sent(page)).toEqual([
    ["POST", "/chat-shares", { conversation_id: "chat-1", entry_ids: ["q1", "a2"], days: 7 }],
    ["DELETE", "/chat-shares/shr_1", undefined],
  ]);
});

test("where the organization forbids links, admins read where to allow them", async () => {
  showDialog({ chatLinks: false });
  const link = await screen.findByRole("link", { name: "Allow them for the organization" });
  expect(link.getAttribute("href")).toBe("/account/organization");
  expect(screen.queryByRole("button", { name: "Make a link" })).toBeNull();
});

test("where the organization forbids links, members read who can allow them", async () => {
  showDialog({ chatLinks: false, user: { ...maria, permissions: ["call_models"] } });
  expect(await screen.findByText(/One of its admins can change that/)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

const showSection = (answer: Parameters<typeof http.chatShares.list>[0]) =>
  renderPage(
    <ToastProvider>
      <SharesSection />
    </ToastProvider>,
    "/account/profile",
    "/account/profile",
    [http.auth.me(maria), http.chatShares.list(answer)],
  );

test("the account lists the links to all chats", async () => {
  showSection({ items: [share("shr_1", "chat-1", "Rain"), share("shr_2", "chat-2", "")] });
  expect(await screen.findByText("Rain")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Revoke the link to New chat" })).toBeTruthy();
});

test("a link that nobody can read at present says so", async () => {
  showSection({
    items: [{ ...share("shr_1", "chat-1", "Rain"), is_readable: false }, share("shr_2", "chat-2", "Snow")],
  });
  expect(await screen.findAllByText(/^Nobody can read it at present/)).toHaveLength(1);
});

test("the account says where chats are shared while there is no link, and lets a failed list be tried again", async () => {
  showSection({ items: [] });
  expect(await screen.findByText(/A chat is shared from its menu/)).toBeTruthy();
  cleanup();
  showSection(refuse(403, "organization_permission_denied", "No."));
  expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
});
