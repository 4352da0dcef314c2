import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Identity, ToUserDto } from "../identity/index.ts";
import { createCallsElsewhere } from "./calls-elsewhere.ts";
import { createInvitationsRepository } from "./invitations.repository.ts";
import { createInvitations } from "./invitations.usecases.ts";
import { createOrganizationsRepository } from "./organizations.repository.ts";
import { organizationRoutes } from "./organizations.routes.ts";
import { createOrganizations } from "./organizations.usecases.ts";

export { listInvitationAttention } from "./invitation-attention.ts";

type Ports = {
  db: Database;
  identity: Identity;
  toUserDto: ToUserDto;
  mail: Mail;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  productName: string;
  replicas: Replicas;
  /** Whether calls of organizations that have decided nothing may go elsewhere. */
  settings: { callsElsewhere: boolean };
  /** Whether messages are sent by mail. If not, inviters have to pass the link on themselves. */
  deliversMail: boolean;
  /** Clears the cache of API keys, so that keys of a former member end immediately. */
  invalidateApiKeys(): void;
};

/** Creates organizations, their members and the invitations to them. */
export function createOrganizationsModule(ports: Ports) {
  const organizationsRepository = createOrganizationsRepository(ports.db, ports.ids);
  const callsElsewhere = createCallsElsewhere({ ...ports, isAllowedByDefault: ports.settings.callsElsewhere });
  const invitationsRepository = createInvitationsRepository(ports.db);
  const { verification } = ports.identity;
  const shared = { ...ports, callsElsewhere, verification, organizationsRepository, invitationsRepository };
  return {
    routes: organizationRoutes({
      ...shared,
      organizations: createOrganizations(shared),
      invitations: createInvitations(shared),
    }),
    jobs: [],
    api: { mayCallElsewhere: callsElsewhere.isAllowed },
  };
}
