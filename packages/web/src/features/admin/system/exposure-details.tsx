import type { ServerExposure, ServerSettings } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { useStripeKey } from "#/lib/site-config.ts";
import styles from "../admin.module.css";
import { paymentsLabel } from "./payments-label.ts";

const MARKETPLACE_LABELS = { off: t`off`, test: t`test, no money moves`, on: t`on` } as const;

type Sandbox = ServerSettings["engine_sandbox"];

/** Shows who can reach the server, what they may do, and whether models run in a sandbox. */
export function ExposureDetails({ exposure, sandbox }: { exposure: ServerExposure; sandbox: Sandbox }) {
  const stripeKey = useStripeKey();
  const details: [string, ReactNode][] = [
    [
      t`Reached from`,
      <StateBadge key="reach" tier={exposure.is_exposed ? "warm" : "offline"}>
        {exposure.is_exposed ? t`other machines` : t`this machine only`}
      </StateBadge>,
    ],
    [
      t`Address`,
      <span key="address" className="mono small">
        {exposure.public_url}
      </span>,
    ],
    [t`HTTPS`, encryptionLabel(exposure)],
    [t`Registration`, registrationLabel(exposure.registration)],
    [t`Payments`, paymentsLabel(exposure.payments, stripeKey)],
    [t`Cloud marketplaces`, MARKETPLACE_LABELS[exposure.marketplaces]],
    [t`Discovery of backends`, exposure.discovery ? t`on` : t`off`],
    [t`Sandbox for models`, sandboxLabel(sandbox)],
  ];
  return (
    <section aria-label={t`What is open`} className="measure mb-4">
      <dl className={styles.pairs}>
        {details.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function encryptionLabel({ is_encrypted, is_exposed }: ServerExposure): string {
  if (is_encrypted) return t`on`;
  return is_exposed ? t`off: passwords and keys can be read on the way` : t`off`;
}

function registrationLabel(state: ServerExposure["registration"]): string {
  const labels = {
    open: t`open to everybody`,
    invite: t`by invitation`,
    approve: t`after an admin's approval`,
    off: t`off`,
  };
  return labels[state];
}

function sandboxLabel(state: Sandbox): string {
  const labels = {
    on: t`on`,
    off: t`off`,
    not_linux: t`off: there is one on Linux only`,
    not_installed: t`off: bubblewrap is not installed`,
    not_permitted: t`off: bubblewrap does not work here; the output of the start says why`,
  };
  return labels[state];
}
