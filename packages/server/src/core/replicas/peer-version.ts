/**
 * The version of what replicas say to each other: their calls, their messages, and what they add to forwarded requests. Raise
 * it with each change that a replica of the version before would misread; replicas of two versions refuse each other.
 */
export const PEER_VERSION = 1;
