import { State, Tag } from "#/components/ui/bits.tsx";
import { type Card, cardExpiry, cardName, isExpired } from "./cards.ts";

type Props = {
  cards: readonly Card[];
  busy: boolean;
  /** Left out for those who may only look. */
  actions?: { makeDefault(card: Card): void; remove(card: Card): void } | undefined;
};

/** The cards of the organization, one of which pays. */
export function CardTable({ cards, busy, actions }: Props) {
  return (
    <table>
      <thead>
        <tr>
          <th>Card</th>
          <th className="w">Good until</th>
          <th>State</th>
          {actions ? (
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {cards.map((card) => (
          <tr key={card.id}>
            <td>
              <strong className="num">{cardName(card)}</strong> {card.is_test ? <Tag>test</Tag> : null}
            </td>
            <td className="w num mid">{cardExpiry(card)}</td>
            <td className="small">
              {isExpired(card) ? (
                <State tier="bad">expired</State>
              ) : (
                <State tier={card.is_default ? "good" : "cold"}>{card.is_default ? "pays" : "in store"}</State>
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
                      aria-label={`Pay with ${cardName(card)}`}
                      onClick={() => actions.makeDefault(card)}
                    >
                      Pay with it
                    </button>
                  )}
                  <button
                    type="button"
                    className="btn ghost danger"
                    aria-label={`Remove ${cardName(card)}`}
                    onClick={() => actions.remove(card)}
                  >
                    Remove
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
