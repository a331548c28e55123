/**
 * Keeps requests to apps away from link-local and cloud metadata addresses, which hand out credentials to
 * whoever can make a server ask for them. The check is made on the address that is connected to, so that no
 * name and no redirect leads around it.
 */
import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import { buildConnector } from "undici";

const refused = new BlockList();
refused.addSubnet("169.254.0.0", 16, "ipv4");
refused.addSubnet("fe80::", 10, "ipv6");
// 169.254/16 again, as NAT64 and 6to4 write it; the form ::ffff:169.254… the list knows by itself.
refused.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
refused.addSubnet("2002:a9fe::", 32, "ipv6");
// Metadata services outside of the link-local range: Amazon (IPv6), Alibaba, Oracle, Azure.
refused.addAddress("fd00:ec2::254", "ipv6");
refused.addAddress("100.100.100.200", "ipv4");
refused.addAddress("192.0.0.192", "ipv4");
refused.addAddress("168.63.129.16", "ipv4");

/** Thrown by what connects through this guard. */
export class AddressRefusedError extends Error {
  readonly code = "ADDRESS_REFUSED";
  constructor(host: string) {
    super(
      `Requests to ${host} are refused: it is a link-local or metadata address. Allow it with --allow-link-local.`,
    );
    this.name = "AddressRefusedError";
  }
}

/**
 * Whether requests to this IP address are refused; false for anything that is no IP address.
 * @example isRefusedAddress("169.254.169.254") // true
 */
export function isRefusedAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return isIP(plain) !== 0 && refused.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A `lookup` for sockets that leaves out refused addresses. Sockets skip it when the host is an IP address:
 * use {@link guardedConnector}, or check the URL's host with {@link isRefusedAddress} as well.
 */
export function guardedLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const addresses = found.filter(({ address }) => !isRefusedAddress(address));
    const first = addresses[0];
    if (first === undefined) return callback(new AddressRefusedError(hostname), []);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
}

/**
 * The `connect` option of an undici Agent.
 * @example new Agent({ connect: guardedConnector({ allowLinkLocal: false, timeoutMs: 5_000 }) })
 */
export function guardedConnector(options: {
  allowLinkLocal: boolean;
  timeoutMs: number;
}): buildConnector.connector {
  const settings = { timeout: options.timeoutMs };
  if (options.allowLinkLocal) return buildConnector(settings);
  const connect = buildConnector({ ...settings, lookup: guardedLookup } as buildConnector.BuildOptions);
  return (target, callback) => {
    if (isRefusedAddress(target.hostname)) callback(new AddressRefusedError(target.hostname), null);
    else connect(target, callback);
  };
}
