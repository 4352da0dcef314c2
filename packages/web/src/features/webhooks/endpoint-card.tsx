import { Menu } from "@base-ui/react/menu";
import type { WebhookEndpoint } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useId, useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import cardStyles from "#/components/ui/lists/card-list.module.css";
import { formatRelativeTime } from "#/lib/format.ts";
import { DeliveriesSection } from "./deliveries-section.tsx";
import styles from "./webhooks.module.css";

/** What can be done with an endpoint. */
export type EndpointActions = {
  test(endpoint: WebhookEndpoint): void;
  edit(endpoint: WebhookEndpoint): void;
  rotate(endpoint: WebhookEndpoint): void;
  setDisabled(endpoint: WebhookEndpoint, disabled: boolean): void;
  remove(endpoint: WebhookEndpoint): void;
};

type Props = { endpoint: WebhookEndpoint; actions: EndpointActions };

/** An endpoint with its events, its state and, when they are asked for, its deliveries. */
export function EndpointCard({ endpoint, actions }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { url, description, disabled, previous_secret_expires_at: previousEnd } = endpoint;
  return (
    <li className={cardStyles.card}>
      <div className={cardStyles.head}>
        <div className={cardStyles.name}>
          <h2 className="h4">
            <bdi>{url}</bdi>
          </h2>
          {description === "" ? null : (
            <p className="muted small user-text" dir="auto">
              {description}
            </p>
          )}
        </div>
        <EndpointState endpoint={endpoint} />
        <EndpointMenu endpoint={endpoint} actions={actions} />
      </div>
      <p className={styles.types}>
        {endpoint.event_types.map((type) => (
          <Tag key={type}>{type}</Tag>
        ))}
      </p>
      {previousEnd === null ? null : (
        <p className="small muted">{t`The secret before it ends ${formatRelativeTime(previousEnd)}.`}</p>
      )}
      <div className="row wrapping">
        <button
          type="button"
          className="btn"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t`Hide deliveries` : t`Show deliveries`}
        </button>
        <button
          type="button"
          className="btn ghost"
          disabled={disabled}
          onClick={() => {
            actions.test(endpoint);
            setOpen(true);
          }}
        >
          {t`Send a test`}
        </button>
      </div>
      <div id={id}>{isOpen ? <DeliveriesSection endpoint={endpoint} /> : null}</div>
    </li>
  );
}

function EndpointState({
  endpoint: { disabled_reason: reason, first_failed_at: since },
}: {
  endpoint: WebhookEndpoint;
}) {
  if (reason === "gone") return <StateBadge tier="bad">{t`disabled: it responded that it is gone`}</StateBadge>;
  if (reason === "failing") return <StateBadge tier="bad">{t`disabled: it failed for 5 days`}</StateBadge>;
  if (reason === "permission_ended")
    return <StateBadge tier="bad">{t`disabled: the application that made or changed it may no longer act`}</StateBadge>;
  if (reason === "manual") return <StateBadge tier="offline">{t`disabled`}</StateBadge>;
  return since === null ? (
    <StateBadge tier="good">{t`enabled`}</StateBadge>
  ) : (
    <StateBadge tier="loading">{t`failing, began ${formatRelativeTime(since)}`}</StateBadge>
  );
}

function EndpointMenu({ endpoint, actions }: Props) {
  const items = [
    { label: t`Edit`, run: () => actions.edit(endpoint) },
    { label: t`Replace the secret`, run: () => actions.rotate(endpoint) },
    {
      label: endpoint.disabled ? t`Enable` : t`Disable`,
      run: () => actions.setDisabled(endpoint, !endpoint.disabled),
    },
    { label: t`Delete`, run: () => actions.remove(endpoint), isDestructive: true },
  ];
  return (
    <Menu.Root>
      <Menu.Trigger className={`btn ghost icon ${styles.menu}`} aria-label={t`Actions for ${endpoint.url}`}>
        <span aria-hidden="true">···</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4}>
          <Menu.Popup className="menu-pop">
            {items.map(({ label, run, isDestructive = false }) => (
              <Menu.Item key={label} className={`item${isDestructive ? " danger" : ""}`} label={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
