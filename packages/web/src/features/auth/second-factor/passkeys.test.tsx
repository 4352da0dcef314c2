import { http } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useUser } from "#/entities/session/user.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { Passkeys } from "./passkeys.tsx";

afterEach(cleanup);

function PasskeysOfUser() {
  const { user } = useUser();
  return user ? <Passkeys user={user} /> : null;
}

test("a passkey from before a reset of the password says that it asks for the password, others do not", async () => {
  const passkey = { id: "psk_1", synced: true, created_at: "2026-11-01T00:00:00Z", last_used_at: null };
  renderPage(<PasskeysOfUser />, "/", "/", [
    http.auth.me(maria),
    http.auth.passkeys.list({
      items: [
        { ...passkey, name: "Laptop", signs_in_alone: false },
        { ...passkey, id: "psk_2", name: "Phone", signs_in_alone: true },
      ],
    }),
  ]);
  const items = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(items).toMatchObject([
    expect.stringMatching(/^Laptop.*asks for the password at its next use/),
    expect.not.stringContaining("asks for the password"),
  ]);
});
