/// The demo's caller as a scenario for sipp 3.6: calls, waits for an answer, plays a tone for the time given with `-d`, hangs
/// up.
enum DemoScenario {
    static let text = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <scenario name="a caller who leaves a message">
          <send retrans="500">
            <![CDATA[
              INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
              Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
              Max-Forwards: 70
              From: "First Caller" <sip:\(DemoNumbers.caller)@[local_ip]>;tag=[pid]d[call_number]
              To: <sip:[service]@[remote_ip]:[remote_port]>
              Call-ID: [call_id]
              CSeq: 1 INVITE
              Contact: <sip:demo@[local_ip]:[local_port];transport=[transport]>
              Content-Type: application/sdp
              Content-Length: [len]

              v=0
              o=demo 1 1 IN IP[local_ip_type] [local_ip]
              s=-
              c=IN IP[media_ip_type] [media_ip]
              t=0 0
              m=audio [rtpstream_audio_port] RTP/AVP 0
              a=rtpmap:0 PCMU/8000
            ]]>
          </send>
          <recv response="100" optional="true" />
          <recv response="180" optional="true" />
          <recv response="183" optional="true" />
          <recv response="200" rrs="true" />
          <send>
            <![CDATA[
              ACK [next_url] SIP/2.0
              Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
              Max-Forwards: 70
              [routes]
              From: "First Caller" <sip:\(DemoNumbers.caller)@[local_ip]>;tag=[pid]d[call_number]
              To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
              Call-ID: [call_id]
              CSeq: 1 ACK
              Content-Length: 0

            ]]>
          </send>
          <nop>
            <action><exec rtp_stream="\(DemoTone.fileName),-1,0" /></action>
          </nop>
          <pause />
          <send retrans="500">
            <![CDATA[
              BYE [next_url] SIP/2.0
              Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
              Max-Forwards: 70
              [routes]
              From: "First Caller" <sip:\(DemoNumbers.caller)@[local_ip]>;tag=[pid]d[call_number]
              To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
              Call-ID: [call_id]
              CSeq: 2 BYE
              Content-Length: 0

            ]]>
          </send>
          <recv response="200" />
        </scenario>

        """
}

/// Numbers of the range that the North American plan keeps for fiction.
enum DemoNumbers {
    static let callee = "+12025550123"
    static let caller = "+12025550147"
}
