import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { toCreditBalanceDto, toCreditTransactionDto } from "./credits.dto.ts";
import type { CreditsRepository } from "./credits.repository.ts";
import type { Credits } from "./credits.ts";
import { createGrantCreditsByAdmin } from "./credits.usecases.ts";

type Deps = { db: Database; credits: Credits; creditsRepository: CreditsRepository; audit: Audit; ids: Ids };

/** Routes of the credit balance, its transactions and the grants of admins. */
export function creditRoutes(deps: Deps): Handlers {
  const { credits, creditsRepository } = deps;
  const grantByAdmin = createGrantCreditsByAdmin(deps);
  return {
    "credits.balance": async ({ actor }) => toCreditBalanceDto(await credits.balance(actor.organizationId)),

    "usage.credits": async ({ actor, query }) => {
      const { organizationId } = actor;
      const page = parsePage(query);
      const [balance, rows, total] = await Promise.all([
        credits.balance(organizationId),
        creditsRepository.transactions(organizationId, page.limit, page.offset),
        creditsRepository.transactionCount(organizationId),
      ]);
      const transactions = { items: rows.map(toCreditTransactionDto), pagination: toPagination(page, total) };
      return { ...toCreditBalanceDto(balance), transactions };
    },

    "admin.users.grantCredits": async ({ actor, path, body, request }) => {
      const { amount_nano_usd, reason } = body;
      const grant = {
        userId: path.id,
        amountNano: BigInt(amount_nano_usd),
        reason: reason.trim(),
        idempotencyId: request.idempotencyId,
      };
      return toCreditBalanceDto(await grantByAdmin(actor, grant));
    },
  };
}
