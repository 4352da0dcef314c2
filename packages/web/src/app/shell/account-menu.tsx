import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { useDeferredPopup } from "#/components/ui/controls/use-deferred-popup.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { getInitials } from "./initials.ts";

const load = async () => (await import("./account-menu-list.tsx")).AccountMenuList;
const AccountMenuList = lazyComponent(load);

/** The account button, which opens the account menu. */
export function AccountMenu({ user }: { user: User }) {
  const { opening, buttonProps } = useDeferredPopup(load);
  const button = (
    <button
      {...buttonProps}
      className="avatar"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label={t`Account menu of ${user.name}`}
      data-initials={getInitials(user.name)}
    />
  );
  return <Suspense fallback={button}>{opening ? <AccountMenuList user={user} opening={opening} /> : button}</Suspense>;
}
