import type { Http } from '../../client/http.ts';
import type { CertificateFiles } from '../client-certificate.ts';
import type { Output } from '../output.ts';

/** Where a command does its work: on a database of this machine, or by HTTP on a server. */
export interface TargetOptions extends CertificateFiles {
  url?: string;
  key?: string;
  database?: string;
}

export interface Connection {
  http: Http;
  /** Where the key that is sent came from and what it is, for a person whose key is refused; null on a database. */
  keyText: string | null;
  close(): Promise<void>;
}

/** The arguments, options and connection of a command. */
export interface Call<Options = object> {
  http: Http;
  out: Output;
  options: Options;
  args: readonly string[];
}

/** The context of a command that works on files of this machine. */
export interface LocalCall<Options = object> {
  out: Output;
  options: Options & { database?: string };
  args: readonly string[];
}
