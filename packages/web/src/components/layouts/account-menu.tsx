import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type ReactNode, Suspense, useState } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { TopBarUser } from "./top-bar.tsx";

type Props = { user: NonNullable<TopBarUser>; logOut(): void; organizations: ReactNode };

const load = async () => (await import("./user-menu.tsx")).UserMenu;
// The menu library is large, so it is loaded when the button is hovered or focused.
const UserMenu = lazyComponent(load);
const preload = () => void load().catch(() => {}); // opening the menu shows the error

/** The account button, which is replaced by the menu when it is opened. */
export function AccountMenu({ user, logOut, organizations }: Props) {
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

  const closedButton = (
    <button
      type="button"
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onKeyDown={openByKey}
      onClick={() => setOpened(true)}
    />
  );
  return opened ? (
    <Suspense fallback={closedButton}>
      <UserMenu button={button} user={user} logOut={logOut} organizations={organizations} />
    </Suspense>
  ) : (
    closedButton
  );
}
