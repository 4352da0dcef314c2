import { t } from "@lingui/core/macro";
import { type KeyboardEvent, Suspense, useState } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";
import type { BarUser } from "./top-bar.tsx";

type Props = { user: NonNullable<BarUser>; logOut(): void };

const load = async () => (await import("./user-menu.tsx")).UserMenu;
// What makes a menu behave is large: it is loaded when somebody reaches for it.
const UserMenu = lazyPart(load);
const prepare = () => void load().catch(() => {}); // opening it tells what is wrong

/** The button of the account menu, which becomes the menu when it is pressed. */
export function AccountMenu({ user, logOut }: Props) {
  const [opened, setOpened] = useState(false);
  const initials = user.name
    .split(/[\s._-]+/)
    .map((part) => part.charAt(0).toUpperCase())
    .slice(0, 2)
    .join("");
  const button = { className: "avatar", "aria-label": t`Account menu of ${user.name}`, "data-initials": initials };

  function openByKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpened(true);
  }

  const closed = (
    <button
      type="button"
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onKeyDown={openByKey}
      onClick={() => setOpened(true)}
    />
  );
  return opened ? (
    <Suspense fallback={closed}>
      <UserMenu button={button} user={user} logOut={logOut} />
    </Suspense>
  ) : (
    closed
  );
}
