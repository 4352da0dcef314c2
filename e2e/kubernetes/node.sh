#!/usr/bin/env bash
# Starts a node of the cluster that up.sh makes: a containerd and a kubelet, whose files are in a folder of STATE. Nodes differ by
# name and address; all their pods are on one bridge.
# Usage: node.sh BIN STATE FOLDER NAME ADDRESS
set -euo pipefail
BIN=$(realpath "$1")
STATE=$(realpath "$2")
NODE=$(realpath -m "$STATE/$3")
NAME=$4
ADDRESS=$5
mkdir -p "$NODE/cni"
cd "$NODE"
keep() { echo $! >> "$NODE/pids"; }

# runc and the native snapshotter, because crun refuses hybrid cgroups and overlays need a module of the kernel.
cat > containerd.toml << END
version = 2
root = "$NODE/containerd"
state = "$NODE/run"
[grpc]
  address = "$NODE/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/local/pause:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$NODE/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "native"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
END
cat > cni/10-bridge.conflist << 'END'
{"cniVersion": "0.4.0", "name": "bridge", "plugins": [
  {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": false,
   "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.244.0.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "loopback"}]}
END
containerd --config containerd.toml > containerd.log 2>&1 &
keep
for _ in $(seq 100); do
  ctr -a "$NODE/containerd.sock" version > /dev/null 2>&1 && break
  sleep 0.2
done

cat > kubelet.yaml << END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $ADDRESS
healthzBindAddress: $ADDRESS
podLogsDir: $NODE/pod-logs
clusterDNS: [10.96.0.1]
clusterDomain: cluster.local
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
failSwapOn: false
containerRuntimeEndpoint: unix://$NODE/containerd.sock
evictionHard: {memory.available: "100Mi"}
imageGCHighThresholdPercent: 100
cgroupsPerQOS: false
enforceNodeAllocatable: []
resolvConf: /etc/resolv.conf
END
"$BIN/kubelet" --kubeconfig="$STATE/kubeconfig" --config=kubelet.yaml --hostname-override="$NAME" --root-dir="$NODE/kubelet" \
  > kubelet.log 2>&1 &
keep
for _ in $(seq 60); do
  "$BIN/kubectl" --kubeconfig="$STATE/kubeconfig" get node "$NAME" 2> /dev/null | grep -q ' Ready' && exit 0
  sleep 1
done
echo "the node did not become ready; see $NODE/*.log" >&2
exit 1
