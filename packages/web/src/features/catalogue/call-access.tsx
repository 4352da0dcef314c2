import type { Model } from "@feather/sdk";
import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";

// Visitors who are not signed in do without it.
const OwnAccess = lazyComponent(async () => (await import("./own-access.tsx")).OwnAccess);

/** Says whether the user can call a model now, and if not, why. */
export function CallAccess({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const { access } = model;
  if (!signedIn || !access)
    return (
      <p className="muted">
        <Trans>
          <LoginLink>Log in</LoginLink> to see what your plan allows.
        </Trans>
      </p>
    );
  return (
    <Suspense fallback={<Skeleton height={24} />}>
      <OwnAccess model={model} access={access} />
    </Suspense>
  );
}
