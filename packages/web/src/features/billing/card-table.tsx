import { t } from "@lingui/core/macro";
import { State, Tag } from "#/components/ui/bits.tsx";
import { type Card, cardExpiry, cardName, isExpired } from "./cards.ts";

type Props = {
  cards: readonly Card[];
  busy: boolean;
  /** Undefined for users who may not change cards. */
  actions?: { makeDefault(card: Card): void; remove(card: Card): void } | undefined;
};

/** The organization's cards, one of which is the default. */
export function CardTable({ cards, busy, actions }: Props) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t`Card`}</th>
          <th className="w">{t`Good until`}</th>
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
              <strong className="num">{cardName(card)}</strong> {card.is_test ? <Tag>{t`test`}</Tag> : null}
            </td>
            <td className="w num mid">{cardExpiry(card)}</td>
            <td className="small">
              {isExpired(card) ? (
                <State tier="bad">{t`expired`}</State>
              ) : (
                <State tier={card.is_default ? "good" : "cold"}>{card.is_default ? t`pays` : t`in store`}</State>
              )}
            </td>
            {actions ? (
              <td>
                <span className="row wraps card-actions">
                  {card.is_default ? null : (
                    <button
                      type="button"
                      className="btn"
                      disabled={busy}
                      aria-label={t`Pay with it: ${cardName(card)}`}
                      onClick={() => actions.makeDefault(card)}
                    >
                      {t`Pay with it`}
                    </button>
                  )}
                  <button
                    type="button"
                    className="btn ghost danger"
                    aria-label={t`Remove ${cardName(card)}`}
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
