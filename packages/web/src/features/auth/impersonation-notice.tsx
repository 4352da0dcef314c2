import { t } from "@lingui/core/macro";

/** Why something is closed to an admin who acts as somebody else: only its owner may do it. */
export function ImpersonationNotice({ children }: { children: string }) {
  return (
    <p className="notice mb-5" role="note">
      {t`You are acting as somebody else.`} {children}
    </p>
  );
}
