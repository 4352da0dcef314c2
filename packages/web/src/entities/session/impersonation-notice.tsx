import { t } from "@lingui/core/macro";

/** Explains that something is not available to an admin who impersonates a user. */
export function ImpersonationNotice({ children }: { children: string }) {
  return (
    <p className="notice mb-5" role="note">
      {t`You are acting as somebody else.`} {children}
    </p>
  );
}
