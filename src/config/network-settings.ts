import { Type } from '@sinclair/typebox';

/** Settings of who reaches the service, and how. */
export const networkSettings = {
  ASSIZE_TLS_CERT: Type.String({
    default: '',
    description:
      'a file with the certificate of the server and those that it is signed by (PEM): the service then speaks HTTPS alone; read again within 10 seconds when it changes',
  }),
  ASSIZE_TLS_KEY: Type.String({
    default: '',
    description: 'the file with its private key (PEM), without a passphrase',
  }),
  ASSIZE_TLS_CLIENT_CA: Type.String({
    default: '',
    description:
      'a file with certificates of authorities (PEM): only clients with a certificate that one of them signed are let in (mTLS)',
  }),
  ASSIZE_OPERATOR_NETWORKS: Type.String({
    default: '',
    description:
      'addresses and CIDR ranges, separated by commas, from which operators may call and sign in; elsewhere their keys are refused like unknown ones; by default from everywhere',
  }),
};
