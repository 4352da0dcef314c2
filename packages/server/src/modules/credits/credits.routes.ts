import type { Database } from "../../db/connect.ts";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import { presentBalance, presentTransaction } from "./credits.present.ts";
import type { CreditsRepository } from "./credits.repository.ts";
import type { Credits } from "./credits.ts";
import { createGrantByAdmin } from "./credits.usecases.ts";

type Deps = { db: Database; credits: Credits; creditRows: CreditsRepository; audit: Audit; ids: Ids };

/** Routes of the credit balance, its transactions and the grants of admins. */
export function creditRoutes(deps: Deps): Handlers {
  const { credits, creditRows } = deps;
  const grantByAdmin = createGrantByAdmin(deps);
  return {
    "credits.balance": async ({ actor }) => presentBalance(await credits.balance(signedIn(actor).organizationId)),

    "usage.credits": async ({ actor, query }) => {
      const { organizationId } = signedIn(actor);
      const page = pageOf(query);
      const [balance, rows, total] = await Promise.all([
        credits.balance(organizationId),
        creditRows.transactions(organizationId, page.limit, page.offset),
        creditRows.transactionCount(organizationId),
      ]);
      const transactions = { items: rows.map(presentTransaction), pagination: pagination(page, total) };
      return { ...presentBalance(balance), transactions };
    },

    "admin.users.grantCredits": async ({ actor, path, body, request }) => {
      const { amount_nano_usd, reason } = body;
      const grant = {
        userId: path.id,
        amount: BigInt(amount_nano_usd),
        reason: reason.trim(),
        idempotencyId: request.idempotencyId,
      };
      return presentBalance(await grantByAdmin(signedIn(actor), grant));
    },
  };
}
