import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds secrets in the places that programs have for them', async (t) => {
  expectCases(t, [
    ['isql -v DSN_SALES salesuser dsn-0riole', 'PASSWORD=dsn-0riole'],
    ['isql -v DSN_SALES salesuser'],
    ['schtasks /create /tn bk /ru ACME\\svc /rp t4sk-Weasel', 'PASSWORD=t4sk-Weasel'],
    ['qpdf --encrypt user-Pdf1 owner-Pdf2 256 -- a.pdf b.pdf', 'PASSWORD=user-Pdf1', 'PASSWORD=owner-Pdf2'],
    ["samba-tool user create leo 's4mba-Tamarin'", 'PASSWORD=s4mba-Tamarin'],
    ['samba-tool user list leo s4mba-Tamarin'],
    ['bw unlock bw-Master-Tern9', 'PASSWORD=bw-Master-Tern9'],
    ['bw unlock $BW_PASSWORD'],
    ['mc alias set prod https://s3.x.tld AKIAX Mn-Secret99x', 'PASSWORD=Mn-Secret99x'],
    ['ldapsearch -x -D cn=a -w Ld4p-Pw', 'PASSWORD=Ld4p-Pw'],
    ["ansible-vault encrypt_string 'Av-Pw99!' --name db", 'PASSWORD=Av-Pw99!'],
    ['openssl enc -aes-256-cbc -pass pass:Os-Pw99 -in a', 'PASSWORD=pass:Os-Pw99'],
    ['openssl enc -d pass:Os-Pw99', 'PASSWORD=Os-Pw99'],
    ['heroku config:set MODE=Hk-Pw99 -a app', 'PASSWORD=Hk-Pw99'],
    ['kubectl create secret generic db --from-literal=db=K8s-Pw99 --from-file=a', 'PASSWORD=K8s-Pw99'],
    ['kubectl create secret generic db --from-literal "db=K8s-Pw99"', 'PASSWORD=K8s-Pw99'],
    ['lftp -u webmaster,ftpM4gpie ftp.host.tld', 'PASSWORD=ftpM4gpie'],
    ["lftp -e 'mirror; bye' -u webmaster,ftpM4gpie h", 'PASSWORD=ftpM4gpie'],
    ["impacket-secretsdump ACME/admin:'D0main-Adm1n'@host", 'PASSWORD=D0main-Adm1n'],
    ['impacket-secretsdump ACME/admin@host'],
    ["restic init --password-command 'echo rest1c-Gnu'", 'PASSWORD=rest1c-Gnu'],
    ['confluent api-key store ABCDEFGH u8uHzJKI9YPFTpUTqSgnqCk9', 'API_KEY=u8uHzJKI9YPFTpUTqSgnqCk9'],
    ['wandb login --relogin short1'],
    ['ngrok authtoken your-token-here'],
    [
      'gh secret set NPM_TOKEN --body "npm_9tvHVel0nlY1VMzTFdKqVu0XoYppUHx7YzQl"',
      'NPM_TOKEN=npm_9tvHVel0nlY1VMzTFdKqVu0XoYppUHx7YzQl',
    ],
    ['networksetup -setairportnetwork en0 Attic w1fi-Attic', 'PASSWORD=w1fi-Attic'],
    ['qpdf --encrypt'],
    ['kubectl create secret generic db --from-literal'],
  ]);
});

test('finds what is given to the standard input of programs that ask for a password', async (t) => {
  expectCases(t, [
    ["kinit -V leo <<< 'Kerb-3ros'", 'PASSWORD=Kerb-3ros'],
    ['kinit leo <<EOF\nk1nit-Civet\nEOF', 'PASSWORD=k1nit-Civet'],
    ['kinit leo <<-EOF 2>/dev/null\nk1nit Civet\nEOF'],
    ['kinit leo <<EOF'],
    ["cryptsetup luksOpen /dev/sda2 x <<< 'luks-Raven-77'", 'PASSWORD=luks-Raven-77'],
    ["echo -n 'luks-Raven-77' | sudo cryptsetup luksOpen /dev/sda2 x -", 'PASSWORD=luks-Raven-77'],
    ["cat key | sudo cryptsetup luksOpen /dev/sda2 x- && echo 'luks-Raven-77'"],
    ["smbpasswd -s -a leo <<< $'sm8-Tamarin\\nsm8-Tamarin'", 'PASSWORD=sm8-Tamarin', 'PASSWORD=sm8-Tamarin'],
    ['docker login --password-stdin <<< d0cker-Tern', 'PASSWORD=d0cker-Tern'],
    ['docker load <<< d0cker-Tern'],
    ['rsync --password-file=<(echo rsync-Quail) a::b /c', 'PASSWORD=rsync-Quail'],
    ['rsync --exclude-from=<(echo rsync-Quail) a::b /c'],
  ]);
});

test('reads commands inside of others', async (t) => {
  expectCases(t, [
    ["sudo useradd -p $(openssl passwd -1 'op3n-Tamarin') leo", 'PASSWORD=op3n-Tamarin'],
    ['cd /opt && sudo -u bob bw unlock \\\n bw-Tern9', 'PASSWORD=bw-Tern9'],
    ['ssh root@h "sh -c \'bw unlock bw-Tern9\'"', 'PASSWORD=bw-Tern9'],
    ['sh -c "sh -c \'sh -c \\"bw unlock bw-Tern9\\"\'"'],
    ['kubectl exec -it pod -- bw unlock bw-Tern9', 'PASSWORD=bw-Tern9'],
    ['#!/bin/sh\nBW=1 /usr/bin/bw unlock "bw-Tern9" >/dev/null 2>&1', 'PASSWORD=bw-Tern9'],
    ['$ bw unlock bw-Tern9 "unclosed', 'PASSWORD=bw-Tern9'],
    ['bw unlock bw-Tern9\\', 'PASSWORD=bw-Tern9\\'],
    ['prose that says: bw unlock bw-Tern9'],
    ['bw unlock'],
    ['net\\'],
  ]);
});

test('a text of nothing but quotes, pipes and here-strings is read once', async (t) => {
  const detector = createDetector();
  for (const piece of ['"', "'", '|', '<<<', '<<', '$(', 'bw unlock "\\', 'kubectl -- ', "sh '"])
    t.ok(detector.scan({ text: `bw ${piece.repeat(8000 / piece.length)}` }));
});
