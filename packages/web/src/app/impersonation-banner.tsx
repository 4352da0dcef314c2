import { Suspense } from "react";
import { isImpersonating } from "#/features/auth/impersonating.ts";
import { useUser } from "#/features/auth/user.ts";
import { lazyPart } from "#/lib/lazy-part.ts";

const ActingAs = lazyPart(async () => (await import("./acting-as.tsx")).ActingAs);

/** Shown on every page while an admin is impersonating a user. */
export function ImpersonationBanner() {
  const { user } = useUser();
  if (!user || !isImpersonating()) return null;
  return (
    <Suspense fallback={null}>
      <ActingAs user={user} />
    </Suspense>
  );
}
