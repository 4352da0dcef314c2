import { can, type Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useUser } from "#/entities/session/user.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";

// Loaded for the few who can unlock: it brings the form library.
const UnlockForm = lazyComponent(async () => (await import("./unlock-form.tsx")).UnlockForm);

/** Says whether a gated model is unlocked for the user's organization, and unlocks it. */
export function GatedAccess({ model }: { model: Model }) {
  const { user } = useUser();
  return (
    <section className="mt-6" id="unlock">
      <h2 className="h4 mb-2">{t`Gated by its publisher`}</h2>
      {user === null ? (
        <p className="muted">
          <Trans>
            <LoginLink>Log in</LoginLink> to unlock it for your organization.
          </Trans>
        </p>
      ) : model.access?.unlocked ? (
        <p className="muted" role="status">{t`It is open to your organization.`}</p>
      ) : can(user, "manage_models") ? (
        <Suspense fallback={<Skeleton height={160} />}>
          <UnlockForm model={model} isAdmin={user.is_admin} />
        </Suspense>
      ) : (
        <p className="muted">{t`Somebody who may run private models in your organization can unlock it here.`}</p>
      )}
    </section>
  );
}
