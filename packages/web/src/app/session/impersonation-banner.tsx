import { Suspense } from "react";
import { isImpersonating } from "#/entities/session/is-impersonating.ts";
import { useUser } from "#/entities/session/user.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";

const ImpersonationBar = lazyComponent(async () => (await import("./impersonation-bar.tsx")).ImpersonationBar);

/** Shown on every page while an admin is impersonating a user. */
export function ImpersonationBanner() {
  const { user } = useUser();
  if (!user || !isImpersonating()) return null;
  return (
    <Suspense fallback={null}>
      <ImpersonationBar user={user} />
    </Suspense>
  );
}
