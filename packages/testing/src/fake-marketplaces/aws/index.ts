/**
 * A stand-in for AWS Marketplace, which cannot run here: ResolveCustomer and BatchMeterUsage of the Metering Service,
 * GetEntitlements of the Entitlement Service, and Amazon SNS as far as it sends messages. It is written from the models of the official packages
 * `@aws-sdk/client-marketplace-metering` and `@aws-sdk/client-marketplace-entitlement-service` 3.1138.0 (AWS JSON 1.1), the
 * AWS Marketplace seller guide as of November 2026, and the page of Amazon SNS on verifying signatures. It checks the
 * signatures of requests, keeps state, and fails as a test says.
 */
import type { ServerResponse } from "node:http";
import { SIGNER } from "../../certificate.ts";
import { findSignatureProblem } from "../../fake-bedrock/signature.ts";
import { type RecordedRequest, startHttpServer } from "../../http-server.ts";
import { type Entitlement, findEntitlements } from "./entitlements.ts";
import { type MessageOptions, signMessage } from "./messages.ts";
import { type MeteringStore, meterBatch } from "./metering.ts";

export type { Entitlement } from "./entitlements.ts";

/** The access key that the stand-in accepts, its product and its topic. */
export const AWS_SELLER = Object.freeze({
  accessKeyId: "AKIASTANDIN",
  secretAccessKey: "stand-in-secret",
  productCode: "prodcode1example",
  topic: "arn:aws:sns:us-east-1:123456789012:feather-marketplace",
});

/** What a registration token stands for. `customerId` is set for products that were listed before June 2026 only. */
export type Registration = { productCode: string; accountId: string; licenseArn?: string; customerId?: string };

const CERTIFICATE_PATH = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

/** Starts the stand-in without customers. `now` returns milliseconds since 1970. */
export async function startFakeAwsMarketplace({ now = Date.now }: { now?: () => number } = {}) {
  const registrations = new Map<string, Registration | "expired">();
  const entitlements: Entitlement[] = [];
  const confirmed: string[] = [];
  /** The names of the errors with which the next requests fail. */
  const failures: string[] = [];
  const metering: MeteringStore = { records: [], dimensions: new Set(), unsubscribed: new Set(), unprocessed: 0 };
  let lostAnswers = 0;
  let count = 0;
  const server = await startHttpServer((request, response) => {
    if (request.method === "GET") return answerGet(request, response, confirmed);
    const problem = findSignatureProblem(request, AWS_SELLER, new Date());
    if (problem !== null) return sendFault(response, 400, "UnrecognizedClientException", problem);
    const failure = failures.shift();
    if (failure !== undefined) return sendFault(response, toStatus(failure), failure, `${failure} of the stand-in`);
    const input = JSON.parse(request.body) as Record<string, unknown>;
    switch (request.headers["x-amz-target"]) {
      case "AWSMPMeteringService.ResolveCustomer":
        return resolve(response, registrations.get(String(input.RegistrationToken)));
      case "AWSMPEntitlementService.GetEntitlements":
        return send(response, 200, findEntitlements(entitlements, input));
      case "AWSMPMeteringService.BatchMeterUsage": {
        const answer = meterBatch(metering, input, now());
        if (lostAnswers > 0) {
          lostAnswers--;
          return void response.destroy();
        }
        if ("error" in answer) return sendFault(response, 400, answer.error, `${answer.error} of the stand-in`);
        return send(response, 200, answer.body);
      }
      default:
        return sendFault(response, 400, "UnknownOperationException", "unknown");
    }
  });

  /** Returns a message of Amazon SNS as it is posted: its headers and body. */
  function message(options: Omit<MessageOptions, "timestamp" | "certificateUrl" | "id"> & { id?: string }) {
    const body = signMessage({
      id: `message-${++count}`,
      timestamp: new Date(now()).toISOString(),
      certificateUrl: `https://sns.us-east-1.amazonaws.com${CERTIFICATE_PATH}`,
      ...options,
    });
    const headers = { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": body.Type };
    return { headers, body };
  }

  return {
    url: server.url,
    requests: server.requests,
    entitlements,
    /** Tokens of the addresses with which subscriptions to topics were confirmed. */
    confirmed,
    /** Issues a registration token, as AWS does when a buyer sets up the account. */
    register(registration: Registration): string {
      const token = `token+/${++count}=`;
      registrations.set(token, registration);
      return token;
    },
    /** Lets a registration token expire, as after four hours. */
    expire: (token: string) => void registrations.set(token, "expired"),
    /** Makes the next requests fail, such as with `ThrottlingException`. */
    fail: (...names: readonly string[]) => void failures.push(...names),
    recover: () => {
      failures.splice(0);
      lostAnswers = 0;
    },
    metering,
    /** Carries out the next requests that report usage, and ends the connection without an answer. */
    loseAnswers: (times: number) => {
      lostAnswers = times;
    },
    message,
    /** Returns the event of EventBridge about a license, in a message of Amazon SNS. */
    licenseEvent(
      type: "License Updated - Manufacturer" | "License Deprovisioned - Manufacturer",
      { productCode, accountId, licenseArn = "" }: Registration,
      options: { eventId?: string; topic?: string } = {},
    ) {
      const event = {
        version: "0",
        id: options.eventId ?? `event-${++count}`,
        "detail-type": type,
        source: "aws.agreement-marketplace",
        region: "us-east-1",
        detail: {
          catalog: "AWSMarketplace",
          product: { code: productCode, id: "prod-example" },
          // The seller guide prints the ARN of a license in events without its first part.
          license: { arn: licenseArn.replace(/^arn:/, "") },
          acceptor: { accountId },
        },
      };
      return message({ topic: options.topic ?? AWS_SELLER.topic, text: JSON.stringify(event) });
    },
    close: server.close,
  };
}

/** A running stand-in for AWS Marketplace. */
export type FakeAwsMarketplace = Awaited<ReturnType<typeof startFakeAwsMarketplace>>;

function answerGet({ url }: RecordedRequest, response: ServerResponse, confirmed: string[]): void {
  const { pathname, searchParams } = new URL(url, "http://sns.test");
  if (pathname === CERTIFICATE_PATH) return void response.end(SIGNER.cert);
  if (searchParams.get("Action") !== "ConfirmSubscription") return void response.writeHead(404).end();
  confirmed.push(searchParams.get("Token") ?? "");
  response.end("<ConfirmSubscriptionResponse/>");
}

function resolve(response: ServerResponse, registration: Registration | "expired" | undefined): void {
  if (registration === undefined) sendFault(response, 400, "InvalidTokenException", "Registration token is invalid.");
  else if (registration === "expired")
    sendFault(response, 400, "ExpiredTokenException", "The submitted registration token has expired.");
  else send(response, 200, toResolved(registration));
}

function toResolved({ productCode, accountId, licenseArn, customerId }: Registration): object {
  return {
    ProductCode: productCode,
    CustomerAWSAccountId: accountId,
    ...(licenseArn !== undefined && { LicenseArn: licenseArn }),
    ...(customerId !== undefined && { CustomerIdentifier: customerId }),
  };
}

/** Returns the status of an error: the services have one error that is theirs, and all others are the client's. */
const toStatus = (name: string) => (name === "InternalServiceErrorException" ? 500 : 400);

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { "content-type": "application/x-amz-json-1.1", "x-amzn-requestid": "request-1", ...headers })
    .end(JSON.stringify(body));
}

function sendFault(response: ServerResponse, status: number, name: string, message: string): void {
  send(response, status, { __type: name, message }, { "x-amzn-errortype": name });
}
