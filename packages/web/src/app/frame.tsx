import { type ReactNode, Suspense } from "react";
import { useNavigate } from "react-router-dom";
import { Footer } from "#/components/layouts/footer.tsx";
import { TopBar } from "#/components/layouts/top-bar.tsx";
import type { Layout } from "#/config/routes.ts";
import { type User, useSession, useUser } from "#/entities/session/user.ts";
import { UnitsInUse } from "#/features/auth/units-in-use.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";

const AreaNav = lazyComponent(async () => (await import("./private-pages.ts")).AreaNav);

const toTopBarUser = ({ name, email, organization, is_admin: isAdmin }: User) => ({
  name,
  email,
  organization: organization.name,
  isAdmin,
});

/** Renders a layout around a page: top bar, side navigation and footer. */
export function Frame({ layout, path, children }: { layout: Layout; path: string; children: ReactNode }) {
  const { user, loading } = useUser();
  const { logOut } = useSession();
  const navigate = useNavigate();
  if (layout === "blank")
    return (
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    );
  const isChat = path === "/chat";
  const logOutAndGoHome = async () => {
    await logOut();
    navigate("/");
  };
  return (
    <>
      <TopBar
        user={user ? toTopBarUser(user) : null}
        loading={loading}
        units={<UnitsInUse />}
        wide={isChat}
        logOut={() => void logOutAndGoHome()}
      />
      {layout === "account" || layout === "admin" ? (
        <div className="with-side">
          <Suspense fallback={<aside className="side" />}>
            <AreaNav area={layout} />
          </Suspense>
          <main id="content" tabIndex={-1}>
            {children}
          </main>
        </div>
      ) : layout === "docs" ? (
        children // pages of the docs render their own main element
      ) : (
        <main id="content" tabIndex={-1} style={isChat ? { flex: 1 } : undefined}>
          {children}
        </main>
      )}
      {isChat ? null : <Footer />}
    </>
  );
}
