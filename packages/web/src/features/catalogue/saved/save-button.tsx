import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Star } from "#/components/ui/labels/star.tsx";
import { useSavedState } from "./use-saved-state.ts";

/** A button that saves a model to the user's list, or removes it. */
export function SaveButton({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const { saved, handleClick } = useSavedState(model);
  if (!signedIn)
    return (
      <LoginLink className="btn">
        <Star filled={false} /> {t`Save`}
      </LoginLink>
    );
  return (
    <button type="button" className="btn" aria-pressed={saved} onClick={handleClick}>
      <Star filled={saved} /> {saved ? t`Saved` : t`Save`}
    </button>
  );
}
