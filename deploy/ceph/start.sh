#!/bin/sh
# Ceph with its S3 gateway (radosgw) on this machine alone, to try Customer Database on it. It runs until Ctrl-C, keeps
# its objects in memory and its other files in the current folder, which must be empty. Real clusters are set up by
# cephadm; of one, Customer Database needs the user and the bucket that this script creates.
#
# The environment: MONITOR and GATEWAY, host:port of Ceph's monitor and of the S3 endpoint, and S3_BUCKET,
# S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY. Customer Database takes the last three too, and
# S3_ENDPOINT=http://GATEWAY. Debian's packages: ceph-mon ceph-mgr ceph-osd radosgw ceph-common.
set -eu
deploy=$(dirname "$(dirname "$(realpath "$0")")")
node=$deploy/../node_modules/.bin/node
cluster_id=$(cat /proc/sys/kernel/random/uuid)
disk_id=$(cat /proc/sys/kernel/random/uuid)
export CEPH_CONF="$deploy/ceph/ceph.conf"
export CEPH_ARGS="--fsid=$cluster_id --mon-host=v2:$MONITOR"

trap 'kill -9 $(cat ./*.pid) 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

# Each program dies with this script, even if that is killed.
start() {
  name=$1
  shift
  setpriv --pdeathsig KILL "$@" &
  echo $! >"$name.pid"
}

mkdir mon.one mgr.one osd.0
ceph-authtool --create-keyring --gen-key -n mon. --cap mon 'allow *' mon.one.keyring
ceph-authtool --create-keyring --gen-key -n client.admin \
  --cap mon 'allow *' --cap mgr 'allow *' --cap osd 'allow *' client.admin.keyring
ceph-authtool mon.one.keyring --import-keyring client.admin.keyring
monmaptool --create --addv one "[v2:$MONITOR]" --fsid "$cluster_id" monmap
ceph-mon --mkfs -i one --monmap monmap --keyring mon.one.keyring
start mon ceph-mon -f -i one

ceph auth get-or-create mgr.one mon 'allow profile mgr' osd 'allow *' -o mgr.one.keyring
start mgr ceph-mgr -f -i one

ceph auth get-or-create osd.0 mon 'allow profile osd' mgr 'allow profile osd' osd 'allow *' -o osd.0.keyring
ceph osd new "$disk_id" 0
ceph-osd -i 0 --mkfs --osd-uuid "$disk_id"
start osd ceph-osd -f -i 0

ceph auth get-or-create client.rgw.one mon 'allow rw' osd 'allow rwx' -o client.rgw.one.keyring
radosgw-admin user create --uid customer-database --display-name 'Customer Database' \
  --access-key "$S3_ACCESS_KEY_ID" --secret-key "$S3_SECRET_ACCESS_KEY" >user.json
{
  AWS_ACCESS_KEY_ID=$S3_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY=$S3_SECRET_ACCESS_KEY \
    "$node" "$deploy/make-bucket.ts" "http://$GATEWAY" "$S3_BUCKET"
  echo "Ceph is ready: S3_ENDPOINT=http://$GATEWAY S3_BUCKET=$S3_BUCKET"
} &

# Restarts a gateway that died, as systemd does.
while true; do
  start gateway radosgw -f -n client.rgw.one --rgw-frontends "beast endpoint=$GATEWAY"
  wait $! || sleep 1
done
