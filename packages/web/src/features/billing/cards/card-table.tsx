import type { PaymentMethod } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import styles from "./card-table.module.css";
import { formatCardExpiry, formatCardName, isExpired } from "./cards.ts";

type Props = {
  cards: readonly PaymentMethod[];
  busy: boolean;
  /** Undefined for users who may not change cards. */
  actions?: { makeDefault(card: PaymentMethod): void; remove(card: PaymentMethod): void } | undefined;
};

/** The organization's cards, one of which is the default. */
export function CardTable({ cards, busy, actions }: Props) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t`Card`}</th>
          <th className="wide-only">{t`Good until`}</th>
          <th>{t`State`}</th>
          {actions ? (
            <th>
              <span className="visually-hidden">{t`Actions`}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <tr key={card.id}>
            <td>
              <strong className="num">{formatCardName(card)}</strong> {card.is_test ? <Tag>{t`test`}</Tag> : null}
            </td>
            <td className="wide-only num muted">{formatCardExpiry(card)}</td>
            <td className="small">
              {isExpired(card) ? (
                <StateBadge tier="bad">{t`expired`}</StateBadge>
              ) : (
                <StateBadge tier={card.is_default ? "good" : "cold"}>
                  {card.is_default ? t`pays` : t`kept for later`}
                </StateBadge>
              )}
            </td>
            {actions ? (
              <td>
                <span className={`row wrapping ${styles.cardActions}`}>
                  {card.is_default ? null : (
                    <button
                      type="button"
                      className="btn"
                      disabled={busy}
                      aria-label={t`Pay with it: ${formatCardName(card)}`}
                      onClick={() => actions.makeDefault(card)}
                    >
                      {t`Pay with it`}
                    </button>
                  )}
                  <button
                    type="button"
                    className="btn ghost danger"
                    aria-label={t`Remove ${formatCardName(card)}`}
                    onClick={() => actions.remove(card)}
                  >
                    {t`Remove`}
                  </button>
                </span>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
