import type { User } from "@feather/sdk";
import { type ReactNode, Suspense } from "react";
import { Footer } from "#/components/layouts/footer.tsx";
import { SmallFooter } from "#/components/layouts/small-footer.tsx";
import { TopBar } from "#/components/layouts/top-bar.tsx";
import { paths } from "#/config/paths.ts";
import type { Layout, RouteSpec } from "#/config/routes.ts";
import { useUser } from "#/entities/session/user.ts";
import { UnitsInUse } from "#/features/auth/units-in-use.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { getInitials } from "../shell/initials.ts";
import styles from "./frame.module.css";

const loadShell = () => import("../private-pages.ts");
const SideNav = lazyComponent(async () => (await loadShell()).SideNav);
const MenuNav = lazyComponent(async () => (await loadShell()).MenuNav);
const BottomBar = lazyComponent(async () => (await loadShell()).BottomBar);
const AccountMenu = lazyComponent(async () => (await loadShell()).AccountMenu);
const DownloadActivity = lazyComponent(async () => (await loadShell()).DownloadActivity);
const AppFooter = lazyComponent(async () => (await loadShell()).AppFooter);

/** Pages with one form or message, which a large footer would outweigh. */
const FORM_PATHS = ["/login", "/register", "/reset-password", "/confirm-email", "/invitations/:token"];

type Props = {
  layout: Layout;
  route: Pick<RouteSpec, "path" | "access">;
  children: ReactNode;
};

/** Renders a layout around a page: top bar, navigation and footer. */
export function Frame({ layout: layoutOfRoute, route, children }: Props) {
  const { user, loading } = useUser();
  const isHome = route.path === paths.home && (user !== null || loading);
  const layout = isHome ? "account" : layoutOfRoute;
  if (layout === "blank")
    return (
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    );
  const hasAppFooter = user !== null || loading || route.access !== "public";
  const isChat = route.path === "/chat";
  return (
    <>
      <FrameTopBar user={user} loading={loading} area={layout === "admin" ? "admin" : "account"} isWide={isChat} />
      {layout === "account" || layout === "admin" ? (
        <div className="with-side">
          <Suspense fallback={<aside className="side" />}>
            <SideNav area={layout} />
          </Suspense>
          <main id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      ) : layout === "docs" ? (
        children // pages of the docs render their own main element
      ) : (
        <main id="content" tabIndex={-1} className={isChat ? styles.chat : undefined}>
          {children}
        </main>
      )}
      {isChat ? null : hasAppFooter ? (
        <Suspense fallback={null}>
          <AppFooter />
        </Suspense>
      ) : FORM_PATHS.includes(route.path) ? (
        <SmallFooter />
      ) : (
        <Footer />
      )}
      {user ? (
        <Suspense fallback={null}>
          <BottomBar />
        </Suspense>
      ) : null}
    </>
  );
}

type FrameTopBarProps = { user: User | null; loading: boolean; area: "account" | "admin"; isWide: boolean };

function FrameTopBar({ user, loading, area, isWide }: FrameTopBarProps) {
  if (user === null) return <TopBar account={null} loading={loading} menu={null} wide={isWide} />;
  const account = (
    <>
      {user.is_admin ? (
        // Kept free, so that nothing in the bar moves when a download begins or ends.
        <span className={styles.downloads}>
          <Suspense fallback={null}>
            <DownloadActivity />
          </Suspense>
        </span>
      ) : null}
      <UnitsInUse />
      <Suspense fallback={<span className="avatar" data-initials={getInitials(user.name)} />}>
        <AccountMenu user={user} />
      </Suspense>
    </>
  );
  const menu = (
    <Suspense fallback={null}>
      <MenuNav area={area} />
    </Suspense>
  );
  return <TopBar account={account} loading={loading} menu={menu} wide={isWide} />;
}
