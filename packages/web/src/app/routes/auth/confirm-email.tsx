import { t } from "@lingui/core/macro";
import { useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { ConfirmEmail } from "#/features/auth/confirm-email.tsx";
import { LinkUnusable } from "#/features/auth/link-unusable.tsx";

/** The target of the link in a confirmation mail, signed in or not. */
export default function ConfirmEmailPage() {
  const [params] = useSearchParams();
  const token = params.get("token");
  return (
    <NarrowPage>
      {token ? (
        <ConfirmEmail token={token} returnTo={params.get("returnTo")} />
      ) : (
        <LinkUnusable
          reason={t`A part of it is missing. Copy it whole out of the message, or ask for a new one.`}
          returnTo={params.get("returnTo")}
        />
      )}
    </NarrowPage>
  );
}
