import type { FastifyReply } from "fastify";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { sendPage } from "../documents/index.ts";
import type { Billing } from "./billing.ts";
import type { Page } from "./checkout/test-payment-pages.ts";

/** Routes of the test driver's pages. The secret in the address is the only access check, as with a payment service. */
export function testPaymentRoutes({ billing }: { billing: Billing }): Handlers {
  const requirePages = () => {
    if (!billing.testPages) throw errors.payments.off();
    return billing.testPages;
  };
  const sendRenderedPage = (reply: FastifyReply, { title, body }: Page) => sendPage(reply, title, body);
  return {
    "testPayments.page": async ({ path, reply }) =>
      sendRenderedPage(reply, await requirePages().renderPage(path.token)),
    "testPayments.submit": async ({ path, body, request, reply }) => {
      const outcome = await requirePages().submitPage(path.token, body, request.ip);
      return "to" in outcome ? reply.code(303).header("location", outcome.to).send() : sendRenderedPage(reply, outcome);
    },
  };
}
