import type { Database } from "../../db/connect.ts";
import { impersonatorOf, type SignedIn, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ReadLog } from "../audit/read-log.ts";
import { exportAccount } from "./account.export.ts";
import type { AccountUseCases } from "./account.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type Deps = {
  db: Database;
  account: AccountUseCases;
  readings: ReadLog;
  limits: AddressLimits;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  clock: Clock;
};

export function accountRoutes({ db, account, readings, limits, presentUser, sessionCookie, clock }: Deps): Handlers {
  const present = (user: SignedIn) =>
    presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });

  return {
    "account.update": async ({ actor, body, request }) => {
      const user = signedIn(actor);
      if (body.email !== undefined) await limits.spend("login", request.ip, user.userId);
      await account.update(user, body);
      return present(user);
    },

    "account.delete": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      await limits.spend("login", request.ip, user.userId);
      await account.delete(user, body.password);
      sessionCookie.clear(reply);
      return undefined;
    },

    "account.export": async ({ actor, reply }) => {
      const user = signedIn(actor);
      reply.header("content-disposition", 'attachment; filename="account.json"').header("cache-control", "no-store");
      await readings.record({ actor: user, action: "account.export", target: user.userId });
      const kept = await exportAccount(db, user.userId);
      const text = JSON.stringify({ exported_at: clock.now().toISOString(), user: await present(user), ...kept });
      return reply.type("application/json").send(text);
    },
  };
}
